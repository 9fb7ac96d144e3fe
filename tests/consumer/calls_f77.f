C SPDX-License-Identifier: BSD-3-Clause
C
C The calls for FORTRAN 77, on the profile of make_profile.c, whose
C path is the first argument. Prints the Test Anything Protocol.
C
      PROGRAM CALLS
      DOUBLE PRECISION X
      INTEGER N, IERR, NUMBER, NSIDE, ICORES(8)
      LOGICAL L
      CHARACTER*18 CPU
      CHARACTER*4 SHORT
      CHARACTER*200 WHY, PATH
      COMMON /TAP/ NUMBER
      NUMBER = 0
      CALL GET_COMMAND_ARGUMENT(1, PATH)

C     The environment names no profile.
      X = 7D0
      CALL SVGET8('caches.2.bytes', X, IERR)
      CALL OK(IERR .LT. 0 .AND. X .EQ. 7D0, 'no profile: X stays')
      CALL SVERRM(WHY)
      CALL OK(INDEX(WHY, 'nowhere.json') .GT. 0, 'no profile: why')
      CALL SVOPEN('missing.json', IERR)
      CALL OK(IERR .LT. 0, 'a missing file is an error')

      CALL SVOPEN(PATH, IERR)
      CALL OK(IERR .EQ. 0, 'opened')
      CALL SVGET8('caches.2.bytes', X, IERR)
      CALL OK(IERR .EQ. 0 .AND. X .EQ. 2097152D0, 'a size')
      CALL SVGET8('caches.2.latency_ns', X, IERR)
      CALL OK(IERR .EQ. 0 .AND. X .EQ. 4.5D0, 'a time')
      CALL SVGETI('caches.2.bytes', N, IERR)
      CALL OK(IERR .EQ. 0 .AND. N .EQ. 2097152, 'an integer')
      L = .FALSE.
      CALL SVGETL('caches.2.bytes.trusted', L, IERR)
      CALL OK(IERR .EQ. 0 .AND. L, 'a logical')
      CALL SVGETS('machine.cpu', CPU, IERR)
      CALL OK(IERR .EQ. 0 .AND. CPU .EQ. 'A CPU of the tests', 'a text')

C     Half of 2 MiB, for three arrays of doubles, alone in the cache.
      CALL SVBLOK(2, 3, 8, 1, N, NSIDE, IERR)
      CALL OK(IERR .EQ. 0 .AND. NSIDE .EQ. 208, 'a block')
      CALL OK(N .EQ. 43688, 'its elements, in whole lines')
C     A positive code: an answer, and why it is not trusted.
      N = 0
      CALL SVBLOK(1, 3, 8, 0, N, NSIDE, IERR)
      CALL OK(IERR .GT. 0 .AND. N .GT. 0, 'sharing was not measured')
      CALL SVERRM(WHY)
      CALL OK(INDEX(WHY, 'not measured') .GT. 0, 'why it is doubtful')
      CALL SVBLOK(3, 3, 8, 1, N, NSIDE, IERR)
      CALL OK(IERR .GT. 0, 'a level that others empty')
      CALL SVADVI('block', 2, X, IERR)
      CALL OK(IERR .EQ. 0 .AND. X .GT. 0D0, 'an advice')
      CALL SVADVI('blocks', 0, X, IERR)
      CALL OK(IERR .LT. 0, 'no such advice')
      CALL SVERRM(WHY)
      CALL OK(INDEX(WHY, 'no such advice') .GT. 0, 'why not')
      CALL SVTHRD('compact', N, IERR)
      CALL OK(IERR .EQ. 0 .AND. N .GE. 1, 'threads')
      ICORES(1) = -1
      CALL SVPLAC('compact', ICORES, 1, IERR)
      CALL OK(IERR .EQ. 0 .AND. ICORES(1) .GE. 0, 'their cores')
      CALL SVPLAC('nowhere', ICORES, 1, IERR)
      CALL OK(IERR .LT. 0, 'no such policy')

C     A failed call leaves its variable alone.
      N = 3
      CALL SVGETI('caches.9.bytes', N, IERR)
      CALL OK(IERR .LT. 0 .AND. N .EQ. 3, 'no such level')
      CALL SVGETI('machine.cpu', N, IERR)
      CALL OK(IERR .LT. 0 .AND. N .EQ. 3, 'a text is no integer')
      CALL SVERRM(WHY)
      CALL OK(WHY .EQ. 'machine.cpu is not a number: '//CPU, 'why not')
      CALL SVGETI('machine.cores', N, IERR)
      CALL OK(IERR .LT. 0 .AND. N .EQ. 3, 'a set of cores is no number')
      CALL SVGETL('caches.2.bytes', L, IERR)
      CALL OK(IERR .LT. 0 .AND. L, 'a size is not yes or no')
      SHORT = 'kept'
      CALL SVGETS('machine.cpu', SHORT, IERR)
      CALL OK(IERR .LT. 0 .AND. SHORT .EQ. 'kept', 'a short variable')

      CALL SVCLOS
      CALL SVGET8('caches.2.bytes', X, IERR)
      CALL OK(IERR .LT. 0, 'closed: the default profile again')
      WRITE (*, '(A, I0)') '1..', NUMBER
      END

      SUBROUTINE OK(PASSED, NAME)
      LOGICAL PASSED
      CHARACTER*(*) NAME
      INTEGER NUMBER
      COMMON /TAP/ NUMBER
      NUMBER = NUMBER + 1
      IF (PASSED) THEN
        WRITE (*, '(A, I0, 2A)') 'ok ', NUMBER, ' - ', NAME
      ELSE
        WRITE (*, '(A, I0, 2A)') 'not ok ', NUMBER, ' - ', NAME
      END IF
      END
