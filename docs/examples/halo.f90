! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Rows of a plane: each process sends its first row to the one below and its last row to the one above.
! MPI_Neighbor_alltoall on a mesh that is not periodic, in Fortran.
!
!     mpifort.mpich -O2 docs/examples/halo.f90 -o rows
!     scripts/hopscotch run mpiexec.mpich -n 4 ./rows
program rows
  use mpi_f08
  implicit none
  integer, parameter :: columns = 64
  double precision :: out(columns, 2), in(columns, 2)
  integer :: sizes, rank, below, above, step, wrong
  type(MPI_Comm) :: mesh

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, sizes)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [sizes], [.false.], .false., mesh)
  call MPI_Comm_rank(mesh, rank)
  call MPI_Cart_shift(mesh, 0, 1, below, above)
  wrong = 0
  do step = 1, 100
    out = rank + step
    in = -1
    call MPI_Neighbor_alltoall(out, columns, MPI_DOUBLE_PRECISION, in, columns, MPI_DOUBLE_PRECISION, mesh)
    wrong = wrong + count(in(:, 1) /= expected(below)) + count(in(:, 2) /= expected(above))
  end do
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, mesh)
  if (rank == 0) print '(a)', merge('right', 'wrong', wrong == 0)
  call MPI_Finalize()
  if (wrong /= 0) stop 1
contains
  ! Beyond the border nothing arrives.
  double precision function expected(neighbor)
    integer, intent(in) :: neighbor
    expected = merge(-1, neighbor + step, neighbor == MPI_PROC_NULL)
  end function
end program
