C SPDX-License-Identifier: BSD-3-Clause
C
C Facts of this machine in plain FORTRAN 77, without modules. What is
C not known keeps the value that the program gave it.
C
C   gfortran cache_f77.f \
C     $(pkg-config --cflags --libs servet-fortran) -o cache_f77
C   ./cache_f77
C
      PROGRAM CACHE
      DOUBLE PRECISION BYTES, NS
      INTEGER LEVELS, I, IERR, N, NB
      LOGICAL SURE
      CHARACTER KEY*24, CPU*40, WHY*200

      CALL SVGETI('caches.count', LEVELS, IERR)
      IF (IERR .NE. 0) THEN
        CALL SVERRM(WHY)
        WRITE (*, '(2A)') 'no facts: ', WHY
        STOP 1
      END IF
      CPU = 'unknown processor'
      CALL SVGETS('machine.cpu', CPU, IERR)
      WRITE (*, '(A)') CPU

      DO 10 I = 1, LEVELS
        WRITE (KEY, '(A, I1, A)') 'caches.', I, '.bytes'
        CALL SVGET8(KEY, BYTES, IERR)
        IF (IERR .NE. 0) GO TO 10
        NS = 0D0
        WRITE (KEY, '(A, I1, A)') 'caches.', I, '.latency_ns'
        CALL SVGET8(KEY, NS, IERR)
        SURE = .FALSE.
        WRITE (KEY, '(A, I1, A)') 'caches.', I, '.bytes.trusted'
        CALL SVGETL(KEY, SURE, IERR)
        WRITE (*, '(A, I1, F10.1, A, F7.2, A, L2)')
     &    'L', I, BYTES / 1024, ' KiB', NS, ' ns', SURE
   10 CONTINUE

C     Blocks of three matrices in the second level; 64 if unknown.
      NB = 64
      CALL SVBLOK(2, 3, 8, 0, N, NB, IERR)
      WRITE (*, '(A, I5)') 'block', NB
      CALL SVCLOS
      END
