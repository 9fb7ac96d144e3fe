C SPDX-License-Identifier: BSD-3-Clause
C
C Matrix multiplication blocked for the cache that Servet measured: how
C a program in fixed form, FORTRAN 77 style, calls the module. What it
C needs of newer Fortran is in BLKSIZ alone.
C
C   gfortran -O3 matmul_f77.f \
C     $(pkg-config --cflags --libs servet-fortran) -o matmul_f77
C   ./matmul_f77 [N [PROFILE]]
C
      PROGRAM MATMUL
      INTEGER NMAX
      PARAMETER (NMAX = 1500)
      DOUBLE PRECISION A, B, C, D
      COMMON /MATRIX/ A(NMAX*NMAX), B(NMAX*NMAX), C(NMAX*NMAX),
     &                D(NMAX*NMAX)
      INTEGER N, NB
      CALL ORDER(N)
      CALL BLKSIZ(NB)
      CALL COMPAR(N, NB, A, B, C, D)
      END

C N from the command line. The default is no power of two: the columns
C of a block would compete for a few sets of the cache.
      SUBROUTINE ORDER(N)
      INTEGER N, IERR
      CHARACTER ARG*16
      N = 1500
      IF (COMMAND_ARGUMENT_COUNT() .GT. 0) THEN
        CALL GET_COMMAND_ARGUMENT(1, ARG)
        READ (ARG, *, IOSTAT=IERR) N
        IF (IERR .NE. 0 .OR. N .LT. 1 .OR. N .GT. 1500) THEN
          PRINT '(A)', 'usage: matmul_f77 [N [PROFILE]], N up to 1500'
          STOP 2
        END IF
      END IF
      END

C Three blocks, of A, B and C, are in use at a time and should stay in
C the cache together. The second level is the right one on most
C machines: the largest that a core has to itself. The first is so small
C that the inner loops become too short to pay, later ones are shared.
      SUBROUTINE BLKSIZ(NB)
      USE SERVET
      INTEGER NB, LEVELS, IERR
      TYPE(SERVET_PROFILE) PROF
      TYPE(SERVET_BLOCK) ROOM
      CHARACTER PATH*1024
      CHARACTER TEXT*1300
      IF (COMMAND_ARGUMENT_COUNT() .GT. 1) THEN
        CALL GET_COMMAND_ARGUMENT(2, PATH)
        CALL PROF%OPEN(PATH, IERR, TEXT)
      ELSE
        CALL PROF%OPEN(STAT=IERR, ERRMSG=TEXT)
      END IF
      IF (IERR .EQ. SERVET_OK)
     &  CALL PROF%CACHE_COUNT(LEVELS, STAT=IERR, ERRMSG=TEXT)
      IF (IERR .EQ. SERVET_OK)
     &  CALL PROF%CACHE_BLOCK(MIN(LEVELS, 2), 3, 8, 1, ROOM,
     &                        STAT=IERR, ERRMSG=TEXT)
      IF (IERR .NE. SERVET_OK) THEN
        PRINT '(2A)', 'matmul_f77: ', TRIM(TEXT)
        STOP 1
      END IF
      NB = INT(ROOM%SIDE)
      PRINT '(2A)', 'profile ', PROF%PATH()
      PRINT '(4(A, I0))', 'block ', NB, ' x ', NB,
     &  ': three fit into ', NINT(ROOM%BYTES / 1024),
     &  ' KiB of cache level ', ROOM%LEVEL
      CALL PROF%CLOSE()
      END

C Small whole numbers: every sum is exact in any order, so both results
C must be the same.
      SUBROUTINE FILL(N, A, B, C, D)
      INTEGER N, I, J
      DOUBLE PRECISION A(N, N), B(N, N), C(N, N), D(N, N)
      DO 20 J = 1, N
        DO 10 I = 1, N
          A(I, J) = MOD(I + 2 * J, 7) - 3
          B(I, J) = MOD(3 * I + J, 5) - 2
          C(I, J) = 0
          D(I, J) = 0
   10   CONTINUE
   20 CONTINUE
      END

C Both loops do the same operations with the same inner loop; all that
C differs is the order of the blocks, so their ratio is what blocking
C alone gains.
      SUBROUTINE COMPAR(N, NB, A, B, C, D)
      INTEGER N, NB, I, J
      DOUBLE PRECISION A(N, N), B(N, N), C(N, N), D(N, N)
      DOUBLE PRECISION T0, T1, T2
      CALL FILL(N, A, B, C, D)
      CALL WALL(T0)
      CALL MULT(N, A, B, C)
      CALL WALL(T1)
      CALL MULTBL(N, NB, A, B, D)
      CALL WALL(T2)
      PRINT '(2(I0, A), 2(F7.3, A), F7.2)', N, ' x ', N,
     &  ', unblocked', T1 - T0, ' s, blocked', T2 - T1,
     &  ' s, ratio', (T1 - T0) / (T2 - T1)
      DO 20 J = 1, N
        DO 10 I = 1, N
          IF (ABS(C(I, J) - D(I, J)) .GT. 0) THEN
            PRINT '(A)', 'the results differ'
            STOP 1
          END IF
   10   CONTINUE
   20 CONTINUE
      PRINT '(A)', 'the results agree'
      END

      SUBROUTINE MULT(N, A, B, C)
      INTEGER N, I, J, K
      DOUBLE PRECISION A(N, N), B(N, N), C(N, N)
      DO 30 J = 1, N
        DO 20 K = 1, N
          DO 10 I = 1, N
            C(I, J) = C(I, J) + A(I, K) * B(K, J)
   10     CONTINUE
   20   CONTINUE
   30 CONTINUE
      END

      SUBROUTINE MULTBL(N, NB, A, B, C)
      INTEGER N, NB, I, J, K, I0, J0, K0
      DOUBLE PRECISION A(N, N), B(N, N), C(N, N)
      DO 60 J0 = 1, N, NB
        DO 50 K0 = 1, N, NB
          DO 40 I0 = 1, N, NB
            DO 30 J = J0, MIN(J0 + NB - 1, N)
              DO 20 K = K0, MIN(K0 + NB - 1, N)
                DO 10 I = I0, MIN(I0 + NB - 1, N)
                  C(I, J) = C(I, J) + A(I, K) * B(K, J)
   10           CONTINUE
   20         CONTINUE
   30       CONTINUE
   40     CONTINUE
   50   CONTINUE
   60 CONTINUE
      END

      SUBROUTINE WALL(T)
      DOUBLE PRECISION T
      INTEGER(SELECTED_INT_KIND(18)) COUNT, RATE
      CALL SYSTEM_CLOCK(COUNT, RATE)
      T = DBLE(COUNT) / DBLE(RATE)
      END
