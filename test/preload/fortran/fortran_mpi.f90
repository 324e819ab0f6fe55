! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Neighborhood collectives from Fortran 90: use mpi, a process grid as the parent of the graph, array sections.
program fortran_mpi
   use mpi
   implicit none
   integer, parameter :: cells = 4, rounds = 4, neighbors = 26
   integer :: ierror, rank, nprocs, grid, graph, i, j, k, n, round, wrong, all_wrong
   integer :: dims(3) = 0, here(3), checks(2) = 0, all_checks(2)
   integer :: source(neighbors), destination(neighbors)
   double precision :: out(cells, neighbors), in(cells, neighbors), own(2*cells)

   call MPI_Init(ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierror)
   call MPI_Dims_create(nprocs, 3, dims, ierror)
   call MPI_Cart_create(MPI_COMM_WORLD, 3, dims, [.true., .true., .true.], .false., grid, ierror)
   call MPI_Comm_rank(grid, rank, ierror)
   call MPI_Cart_coords(grid, rank, 3, here, ierror)
   n = 0
   do i = -1, 1
      do j = -1, 1
         do k = -1, 1
            if (i == 0 .and. j == 0 .and. k == 0) cycle
            n = n + 1
            call MPI_Cart_rank(grid, here + [i, j, k], destination(n), ierror)
         end do
      end do
   end do
   source = destination ! the usual shortcut for a symmetric stencil: equal lists
   call MPI_Dist_graph_create_adjacent(grid, n, source, MPI_UNWEIGHTED, n, destination, MPI_UNWEIGHTED, &
                                       MPI_INFO_NULL, .false., graph, ierror)

   wrong = 0
   do round = 1, rounds
      do i = 1, n
         out(:, i) = round*1000000.0d0 + rank*1000 + destination(i)
      end do
      in = -1
      call MPI_Neighbor_alltoall(out, cells, MPI_DOUBLE_PRECISION, in, cells, MPI_DOUBLE_PRECISION, graph, ierror)
      do i = 1, n
         wrong = wrong + count(in(:, i) /= round*1000000.0d0 + source(i)*1000 + rank)
         checks(1) = checks(1) + i*sum(mod(int(in(:, i)), 1009))
      end do
      own = [(round*1000000.0d0 + rank*1000 + j/2, j=2, 2*cells + 1)]
      in = -1
      ! every other value: the compiler hands over a contiguous copy
      call MPI_Neighbor_allgather(own(1:2*cells:2), cells, MPI_DOUBLE_PRECISION, in, cells, MPI_DOUBLE_PRECISION, &
                                  graph, ierror)
      do i = 1, n
         do j = 1, cells
            if (in(j, i) /= round*1000000.0d0 + source(i)*1000 + j) wrong = wrong + 1
         end do
         checks(2) = checks(2) + i*sum(mod(int(in(:, i)), 1009))
      end do
   end do

   call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
   call MPI_Allreduce(checks, all_checks, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
   call MPI_Comm_free(graph, ierror)
   call MPI_Comm_free(grid, ierror)
   if (rank == 0) then
      write (*, '(a, 2i12)') 'fortran_mpi: checksum', all_checks
      if (all_wrong == 0) then
         write (*, '(a)') 'fortran_mpi: ok'
      else
         write (*, '(a, i8)') 'fortran_mpi: FAILED', all_wrong
      end if
   end if
   call MPI_Finalize(ierror)
   if (all_wrong /= 0) stop 1
end program fortran_mpi
