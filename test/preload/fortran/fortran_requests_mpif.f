! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Nonblocking and persistent neighborhood collectives from FORTRAN 77:
! requests are integers. The buffers are common, so that the compiler
! knows that other calls change them.
      program fortran_requests_mpif
      implicit none
      include 'mpif.h'
      integer cells, rounds
      parameter (cells = 3, rounds = 4)
      integer ierror, rank, nprocs, grid, graph, i, j, k, round
      integer wrong, allwrong, token, right, left
      integer dims(2), here(2), to(2), from(2)
      integer source(8), destin(8), counts(8), displs(8)
      integer out(cells, 8), in(cells, 8), out2(cells, 8), in2(cells, 8)
      integer request(3), statuses(MPI_STATUS_SIZE, 3)
      logical periods(2)
      common /buffers/ out, in, out2, in2, token, request, statuses

      include 'fortran_torus.inc'
      do k = 1, 8
        counts(k) = cells
        displs(k) = (k - 1) * cells
      end do
      call MPI_Dist_graph_create_adjacent(grid, 8, source, counts, 8,
     &     destin, counts, MPI_INFO_NULL, .false., graph, ierror)
      right = mod(rank + 1, nprocs)
      left = mod(rank + nprocs - 1, nprocs)
      call MPI_Neighbor_alltoallv_init(out2, counts, displs,
     &     MPI_INTEGER, in2, counts, displs, MPI_INTEGER, graph,
     &     MPI_INFO_NULL, request(1), ierror)

      wrong = 0
      do round = 1, rounds
        do i = 1, 8
          do j = 1, cells
            out(j, i) = round * 1000000 + rank * 1000 + destin(i)
            out2(j, i) = -out(j, i)
            in(j, i) = -1
            in2(j, i) = -1
          end do
        end do
        token = -1
        call MPI_Start(request(1), ierror)
        call MPI_Ineighbor_alltoallv(out, counts, displs, MPI_INTEGER,
     &       in, counts, displs, MPI_INTEGER, graph, request(2), ierror)
        call MPI_Irecv(token, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD,
     &                 request(3), ierror)
        call MPI_Send(rank, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD,
     &                ierror)
        if (mod(round, 2) .eq. 0) then
          call MPI_Waitall(3, request, statuses, ierror)
        else
          do k = 3, 1, -1
            call MPI_Wait(request(k), statuses(1, k), ierror)
          end do
        end if
        if (token .ne. left) wrong = wrong + 1
        if (statuses(MPI_SOURCE, 3) .ne. left) wrong = wrong + 1
        if (request(1) .eq. MPI_REQUEST_NULL) wrong = wrong + 1
        if (request(2) .ne. MPI_REQUEST_NULL) wrong = wrong + 1
        do i = 1, 8
          do j = 1, cells
            k = round * 1000000 + source(i) * 1000 + rank
            if (in(j, i) .ne. k) wrong = wrong + 1
            if (in2(j, i) .ne. -k) wrong = wrong + 1
          end do
        end do
      end do
      call MPI_Request_free(request(1), ierror)

      call MPI_Allreduce(wrong, allwrong, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierror)
      call MPI_Comm_free(graph, ierror)
      call MPI_Comm_free(grid, ierror)
      if (rank .eq. 0) then
        if (allwrong .eq. 0) then
          write (*, '(a)') 'fortran_requests_mpif: ok'
        else
          write (*, '(a, i8)') 'fortran_requests_mpif: FAILED', allwrong
        end if
      end if
      call MPI_Finalize(ierror)
      if (allwrong .ne. 0) stop 1
      end
