! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Neighborhood collectives from FORTRAN 77: include 'mpif.h', fixed
! form, a graph made with Cartesian arithmetic on a communicator that
! is freed before the graph is used.
      program fortran_mpif
      implicit none
      include 'mpif.h'
      integer cells, rounds
      parameter (cells = 3, rounds = 4)
      integer ierror, rank, nprocs, grid, graph, i, j, k, round
      integer wrong, allwrong, total
      integer dims(2), here(2), to(2), from(2), sums(2), allsums(2)
      integer source(8), destin(8), weights(8)
      integer out(cells, 8), in(cells, 8), own(cells)
      logical periods(2)

      include 'fortran_torus.inc'
      do k = 1, 8
        weights(k) = 1
      end do
      call MPI_Comm_free(grid, ierror)
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 8, source,
     &     weights, 8, destin, weights, MPI_INFO_NULL, .false., graph,
     &     ierror)

      wrong = 0
      sums(1) = 0
      sums(2) = 0
      do round = 1, rounds
        do i = 1, 8
          do j = 1, cells
            out(j, i) = round * 1000000 + rank * 1000 + destin(i)
            in(j, i) = -1
          end do
        end do
        call MPI_Neighbor_alltoall(out, cells, MPI_INTEGER, in, cells,
     &                             MPI_INTEGER, graph, ierror)
        do i = 1, 8
          do j = 1, cells
            if (in(j, i) .ne. round * 1000000 + source(i) * 1000 + rank)
     &        wrong = wrong + 1
            sums(1) = sums(1) + i * j * mod(in(j, i), 1009)
            in(j, i) = -1
          end do
        end do
        do j = 1, cells
          own(j) = round * 1000000 + rank * 1000 + j
        end do
        call MPI_Neighbor_allgather(own, cells, MPI_INTEGER, in, cells,
     &                              MPI_INTEGER, graph, ierror)
        do i = 1, 8
          do j = 1, cells
            if (in(j, i) .ne. round * 1000000 + source(i) * 1000 + j)
     &        wrong = wrong + 1
            sums(2) = sums(2) + i * j * mod(in(j, i), 1009)
          end do
        end do
      end do

      call MPI_Allreduce(wrong, allwrong, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierror)
      call MPI_Allreduce(sums, allsums, 2, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierror)
      call MPI_Comm_free(graph, ierror)
      total = allwrong
      if (rank .eq. 0) then
        write (*, '(a, 2i12)') 'fortran_mpif: checksum', allsums
        if (total .eq. 0) then
          write (*, '(a)') 'fortran_mpif: ok'
        else
          write (*, '(a, i8)') 'fortran_mpif: FAILED', total
        end if
      end if
      call MPI_Finalize(ierror)
      if (total .ne. 0) stop 1
      end
