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

C Both times are of the same loops; all that differs is the size of the
C blocks, so their ratio is what blocking alone gains. Without -O3
C arithmetic takes so long that memory hardly matters.
      SUBROUTINE COMPAR(N, NB, A, B, C, D)
      INTEGER N, NB, I, J
      DOUBLE PRECISION A(N, N), B(N, N), C(N, N), D(N, N)
      DOUBLE PRECISION T0, T1, T2
      CALL FILL(N, A, B, C, D)
      CALL WALL(T0)
      CALL MULT(N, N, A, B, C)
      CALL WALL(T1)
      CALL MULT(N, NB, A, B, D)
      CALL WALL(T2)
      PRINT '(2(I0, A), 2(F7.3, A), F7.2)', N, ' x ', N,
     &  ', unblocked', T1 - T0, ' s, blocked', T2 - T1,
     &  ' s, ratio', (T1 - T0) / (T2 - T1)
      IF (T2 - T1 .GE. T1 - T0) PRINT '(2A)',
     &  'blocking gains nothing here: the matrices fit into a cache, ',
     &  'or arithmetic takes longer than memory (compile with -O3)'
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

C Unblocked is a single block as large as the matrices.
      SUBROUTINE MULT(N, NB, A, B, C)
      INTEGER N, NB, NR, J, K, I0, J0, K0
      DOUBLE PRECISION A(N, N), B(N, N), C(N, N)
      DO 60 J0 = 1, N, NB
        DO 50 K0 = 1, N, NB
          DO 40 I0 = 1, N, NB
            NR = MIN(NB, N - I0 + 1)
            DO 30 J = J0, MIN(J0 + NB - 1, N)
              DO 20 K = K0, MIN(K0 + NB - 1, N)
                CALL ADDCOL(NR, B(K, J), A(I0, K), C(I0, J))
   20         CONTINUE
   30       CONTINUE
   40     CONTINUE
   50   CONTINUE
   60 CONTINUE
      END

C The inner loop on its own: compilers then make the same of it,
C whatever the loops around it.
      SUBROUTINE ADDCOL(NR, X, A, C)
      INTEGER NR, I
      DOUBLE PRECISION X, A(NR), C(NR)
      DO 10 I = 1, NR
        C(I) = C(I) + X * A(I)
   10 CONTINUE
      END

      SUBROUTINE WALL(T)
      DOUBLE PRECISION T
      INTEGER(SELECTED_INT_KIND(18)) COUNT, RATE
      CALL SYSTEM_CLOCK(COUNT, RATE)
      T = DBLE(COUNT) / DBLE(RATE)
      END
