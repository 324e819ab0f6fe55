! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! The Fortran code of docs/advice.md: a mesh of rows, two fields, a halo on both sides. Without arguments the halo is
! exchanged by MPI_Isend, MPI_Irecv and MPI_Waitall; with any by one neighborhood collective. Both print the same sum.
module halo_rows
  use mpi
  implicit none
  integer, parameter :: n = 64
  integer :: size, rank, error, neighbors(2), degree, halo
contains

  subroutine exchange_rows(rows)
    double precision, intent(inout) :: rows(n, 0:9)
    integer :: requests(4), i, low, high
    low = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    high = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
    call MPI_Irecv(rows(1, 0), n, MPI_DOUBLE_PRECISION, low, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(rows(1, 9), n, MPI_DOUBLE_PRECISION, high, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(rows(1, 1), n, MPI_DOUBLE_PRECISION, low, 2, MPI_COMM_WORLD, requests(3), error)
    call MPI_Isend(rows(1, 8), n, MPI_DOUBLE_PRECISION, high, 1, MPI_COMM_WORLD, requests(4), error)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
  end subroutine

  subroutine make_halo()
    degree = 0
    if (rank > 0) then
      degree = degree + 1
      neighbors(degree) = rank - 1
    end if
    if (rank < size - 1) then
      degree = degree + 1
      neighbors(degree) = rank + 1
    end if
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbors, MPI_UNWEIGHTED, degree, neighbors, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., halo, error)
  end subroutine

  subroutine exchange_by_collective(rows)
    double precision, intent(inout) :: rows(n, 0:9)
    double precision :: out(n, 2), in(n, 2)
    integer :: i
    do i = 1, degree
      out(:, i) = merge(rows(:, 1), rows(:, 8), neighbors(i) < rank)
    end do
    call MPI_Neighbor_alltoall(out, n, MPI_DOUBLE_PRECISION, in, n, MPI_DOUBLE_PRECISION, halo, error)
    do i = 1, degree
      rows(:, merge(0, 9, neighbors(i) < rank)) = in(:, i)
    end do
  end subroutine
end module

program rows_of_heat
  use halo_rows
  implicit none
  double precision :: rows(n, 0:9), sum_here, total
  integer :: step, i
  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (command_argument_count() > 0) call make_halo()
  do i = 0, 9
    rows(:, i) = dble((rank * 10 + i) ** 2)
  end do
  do step = 1, 50
    if (command_argument_count() > 0) then
      call exchange_by_collective(rows)
    else
      call exchange_rows(rows)
    end if
    rows(:, 1:8) = 0.5d0 * rows(:, 1:8) + 0.25d0 * (rows(:, 0:7) + rows(:, 2:9))
  end do
  sum_here = 0
  do i = 1, 8
    sum_here = sum_here + (i + rank) ** 2 * sum(rows(:, i))
  end do
  call MPI_Reduce(sum_here, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,f20.8)', 'sum: ', total
  if (command_argument_count() > 0) call MPI_Comm_free(halo, error)
  call MPI_Finalize(error)
end program
