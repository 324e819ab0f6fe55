! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! What the Fortran programs share: checks that count and the end of a program, and a matrix with a halo, spread over a
! torus or mesh of processes, and the same computation done serially. Every process has n x n cells; cells beyond the
! border of a mesh are 0. Compiled for mpi_f08 and, with BY_MPI, for the older module.
#include "flavor.inc"
module CHECKS
   MPI_MODULE
   implicit none
   private
   public :: check, finish_checks, fill, update, check_against_serial, make_halo

   integer, parameter, public :: n = 5, steps = 4

   type, public :: grid
      integer :: dims(2), here(2) ! processes, and the coordinates of this one
      logical :: periodic
   end type

   ! The 8 neighbors, in the order of the papers' lists.
   integer, parameter, public :: moore(2, 8) = reshape([0, 1, 0, -1, -1, 0, 1, 0, -1, 1, 1, 1, 1, -1, -1, -1], [2, 8])

   type, public :: halo
      HANDLE(MPI_Datatype) :: types(8)
      integer :: counts(8) = 1
      integer(MPI_ADDRESS_KIND) :: sdispls(8), rdispls(8)
   end type

   integer :: made = 0, failed = 0

contains

   ! Counts a check that fails; the program goes on, so that all processes stay together.
   subroutine check(holds, file, line)
      logical, intent(in) :: holds
      character(len=*), intent(in) :: file
      integer, intent(in) :: line
      made = made + 1
      if (holds) return
      failed = failed + 1
      if (failed <= 20) print '(3a,i0,a)', 'FAILED: ', file, ':', line
   end subroutine

   subroutine finish_checks()
      integer :: sums(2), rank, code
      call MPI_Allreduce([made, failed], sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
      if (rank == 0) print '(i0,a,i0,a)', sums(1), ' checks, ', sums(2), ' failed'
      call MPI_Finalize(code)
      if (sums(2) /= 0) stop 1
   end subroutine

   pure double precision function initial(i, j)
      integer, intent(in) :: i, j
      initial = mod(i*7 + j*13, 11) + 0.25d0*i
   end function

   subroutine fill(of, matrix)
      type(grid), intent(in) :: of
      double precision, intent(out) :: matrix(0:n + 1, 0:n + 1)
      integer :: i, j
      matrix = 0
      do j = 1, n
         do i = 1, n
            matrix(i, j) = initial(of%here(1)*n + i - 1, of%here(2)*n + j - 1)
         end do
      end do
   end subroutine

   ! One step over the own cells: the mean of the cell and its 4 or 8 neighbors.
   subroutine update(matrix, points)
      double precision, intent(inout) :: matrix(0:n + 1, 0:n + 1)
      integer, intent(in) :: points
      double precision :: next(n, n)
      integer :: i
      next = matrix(1:n, 1:n)
      do i = 1, points - 1
         next = next + matrix(1 + moore(1, i):n + moore(1, i), 1 + moore(2, i):n + moore(2, i))
      end do
      matrix(1:n, 1:n) = next/points
   end subroutine

   ! The same steps over the whole matrix, compared with the own part of it.
   subroutine check_against_serial(of, matrix, points)
      type(grid), intent(in) :: of
      double precision, intent(in) :: matrix(0:n + 1, 0:n + 1)
      integer, intent(in) :: points
      double precision, allocatable :: now(:, :), next(:, :), moved(:, :)
      integer :: i, j, step, shift
      allocate (now(of%dims(1)*n, of%dims(2)*n))
      do j = 1, size(now, 2)
         do i = 1, size(now, 1)
            now(i, j) = initial(i - 1, j - 1)
         end do
      end do
      do step = 1, steps
         next = now
         do i = 1, points - 1
            moved = now
            do shift = 1, 2
               if (of%periodic) then
                  moved = cshift(moved, moore(shift, i), shift)
               else
                  moved = eoshift(moved, moore(shift, i), 0d0, shift)
               end if
            end do
            next = next + moved
         end do
         now = next/points
      end do
      associate (first => of%here*n)
         next = now(first(1) + 1:first(1) + n, first(2) + 1:first(2) + n)
      end associate
      call check(all(abs(next - matrix(1:n, 1:n)) < 1d-9), __FILE__, __LINE__)
   end subroutine

   ! What is sent to the 8 neighbors and received, with block i from the process at minus offset i, where it lies.
   subroutine make_halo(made_halo)
      type(halo), intent(out) :: made_halo
      HANDLE(MPI_Datatype) :: row, column
      integer :: i, code
      integer, dimension(2) :: sent, received
      call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, row, code)
      call MPI_Type_contiguous(n, MPI_DOUBLE_PRECISION, column, code)
      call MPI_Type_commit(row, code)
      call MPI_Type_commit(column, code)
      do i = 1, 8
         sent = merge(n, 1, moore(:, i) > 0)
         received = merge(0, merge(n + 1, 1, moore(:, i) < 0), moore(:, i) > 0)
         made_halo%sdispls(i) = 8*(sent(1) + sent(2)*(n + 2))
         made_halo%rdispls(i) = 8*(received(1) + received(2)*(n + 2))
         made_halo%types(i) = MPI_DOUBLE_PRECISION
         if (moore(1, i) == 0) made_halo%types(i) = column
         if (moore(2, i) == 0) made_halo%types(i) = row
      end do
   end subroutine

end module
