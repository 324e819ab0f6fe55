! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Nonblocking and persistent neighborhood collectives from Fortran 2008. A section with gaps reaches MPI as a derived
! type that the binding frees before the operation is complete.

! Not the program's own, so that the compiler knows that other calls change them.
module buffers
   implicit none
   integer, parameter :: cells = 4, neighbors = 8
   integer, save, target :: counts(neighbors), displacements(neighbors), token
   integer, save, target :: out(2, cells), in(cells, neighbors), more_out(cells, neighbors), more_in(cells, neighbors)
end module buffers

program fortran_requests
   use mpi_f08
   use buffers
   implicit none
   integer, parameter :: rounds = 4
   type(MPI_Comm) :: grid, graph
   type(MPI_Request) :: request, persistent, together(3)
   type(MPI_Status) :: status, statuses(3)
   integer :: rank, nprocs, i, j, n, round, wrong, all_wrong, right, left
   integer :: dims(2) = 0, here(2)
   integer :: source(neighbors), destination(neighbors)
   logical :: periods(2) = .true., done

   include 'fortran_f08_torus.inc'
   call MPI_Dist_graph_create_adjacent(grid, n, source, MPI_UNWEIGHTED, n, destination, MPI_UNWEIGHTED, &
                                       MPI_INFO_NULL, .false., graph)
   counts = cells
   displacements = [(i*cells, i=0, neighbors - 1)]
   right = mod(rank + 1, nprocs)
   left = mod(rank + nprocs - 1, nprocs)
   call MPI_Neighbor_alltoallv_init(more_out, counts, displacements, MPI_INTEGER, more_in, counts, displacements, &
                                    MPI_INTEGER, graph, MPI_INFO_NULL, persistent)

   wrong = 0
   do round = 1, rounds
      out(1, :) = value_of(round, rank, 0)
      out(2, :) = -3
      do i = 1, n
         more_out(:, i) = -value_of(round, rank, destination(i))
      end do
      in = -1
      more_in = -1
      token = -1
      call MPI_Ineighbor_allgather(out(1, :), cells, MPI_INTEGER, in, cells, MPI_INTEGER, graph, request)
      call MPI_Start(persistent)
      select case (round)
      case (1)
         call MPI_Wait(request, status)
         call MPI_Wait(persistent, MPI_STATUS_IGNORE)
      case (2)
         done = .false.
         do while (.not. done)
            call MPI_Test(request, done, status)
         end do
         call MPI_Wait(persistent, status)
      case default
         together(1) = persistent
         together(2) = request
         call MPI_Irecv(token, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, together(3))
         call MPI_Send(rank, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD)
         call MPI_Waitall(3, together, statuses)
         if (token /= left .or. statuses(3)%MPI_SOURCE /= left) wrong = wrong + 1
         request = together(2)
         persistent = together(1)
      end select
      if (request /= MPI_REQUEST_NULL .or. persistent == MPI_REQUEST_NULL) wrong = wrong + 1
      do i = 1, n
         wrong = wrong + count(in(:, i) /= value_of(round, source(i), 0))
         wrong = wrong + count(more_in(:, i) /= -value_of(round, source(i), rank))
      end do

      in = -1
      call MPI_Ineighbor_alltoallv(more_out, counts, displacements, MPI_INTEGER, in, counts, displacements, &
                                   MPI_INTEGER, graph, request)
      call MPI_Wait(request, status)
      do i = 1, n
         wrong = wrong + count(in(:, i) /= -value_of(round, source(i), rank))
      end do
   end do
   call MPI_Request_free(persistent)
   if (persistent /= MPI_REQUEST_NULL) wrong = wrong + 1

   call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
   call MPI_Comm_free(graph)
   call MPI_Comm_free(grid)
   if (rank == 0) then
      if (all_wrong == 0) then
         write (*, '(a)') 'fortran_requests: ok'
      else
         write (*, '(a, i8)') 'fortran_requests: FAILED', all_wrong
      end if
   end if
   call MPI_Finalize()
   if (all_wrong /= 0) stop 1

contains

   integer pure function value_of(round, from, to)
      integer, intent(in) :: round, from, to
      value_of = round*1000000 + from*1000 + to
   end function value_of
end program fortran_requests
