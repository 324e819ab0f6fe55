! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Neighborhood collectives from Fortran 2008: use mpi_f08, typed handles, no ierror arguments, a graph on
! MPI_COMM_WORLD, and non-contiguous sections, which reach MPI as a derived type that is freed right after the call.
program fortran_f08
   use mpi_f08
   implicit none
   integer, parameter :: cells = 4, rounds = 4, neighbors = 8
   type(MPI_Comm) :: grid, graph, copy
   integer :: rank, nprocs, i, j, n, round, wrong, all_wrong
   integer :: dims(2) = 0, here(2), checks(2) = 0, all_checks(2)
   integer :: source(neighbors), destination(neighbors)
   integer :: out(cells, neighbors), in(cells, neighbors), own(2*cells), spread_in(2*cells*neighbors)
   logical :: periods(2) = .true.

   include 'fortran_f08_torus.inc'
   call MPI_Comm_free(grid)
   call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, source, MPI_UNWEIGHTED, n, destination, MPI_UNWEIGHTED, &
                                       MPI_INFO_NULL, .false., copy)
   call MPI_Comm_dup(copy, graph)
   call MPI_Comm_free(copy)

   wrong = 0
   do round = 1, rounds
      do i = 1, n
         out(:, i) = round*1000000 + rank*1000 + destination(i)
      end do
      in = -1
      call MPI_Neighbor_alltoall(out, cells, MPI_INTEGER, in, cells, MPI_INTEGER, graph)
      do i = 1, n
         wrong = wrong + count(in(:, i) /= round*1000000 + source(i)*1000 + rank)
         checks(1) = checks(1) + i*sum(mod(in(:, i), 1009))
      end do
      own = [(round*1000000 + rank*1000 + j/2, j=2, 2*cells + 1)]
      spread_in = -1
      call MPI_Neighbor_allgather(own(1:2*cells:2), cells, MPI_INTEGER, spread_in(1:cells*n), cells, MPI_INTEGER, graph)
      do i = 1, n
         do j = 1, cells
            if (spread_in((i - 1)*cells + j) /= round*1000000 + source(i)*1000 + j) wrong = wrong + 1
            checks(2) = checks(2) + i*j*mod(spread_in((i - 1)*cells + j), 1009)
         end do
      end do
      wrong = wrong + count(spread_in(cells*n + 1:) /= -1)
   end do

   call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
   call MPI_Allreduce(checks, all_checks, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
   call MPI_Comm_free(graph)
   if (rank == 0) then
      write (*, '(a, 2i12)') 'fortran_f08: checksum', all_checks
      if (all_wrong == 0) then
         write (*, '(a)') 'fortran_f08: ok'
      else
         write (*, '(a, i8)') 'fortran_f08: FAILED', all_wrong
      end if
   end if
   call MPI_Finalize()
   if (all_wrong /= 0) stop 1
end program fortran_f08
