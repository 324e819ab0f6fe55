! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Nonblocking and persistent collectives of an unmodified Fortran program under HOPSCOTCH_SEMANTICS=orthogonal, by each
! of the three bindings: on a ring whose processes send to both sides they mean the two neighbors, on a Cartesian and on
! a plain communicator everybody. With F08 by `use mpi_f08`, with MODULE by `use mpi`, with neither by mpif.h.
#ifdef F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif

! Not the program's own, so that the compiler knows that other calls change them.
module buffers
   implicit none
   integer, save, target :: one(1), out(2), in(64), sum_of_in
end module buffers

program orthogonal
#if defined(F08)
   use mpi_f08
#elif defined(MODULE)
   use mpi
#endif
   use buffers
   implicit none
#if !defined(F08) && !defined(MODULE)
   include 'mpif.h'
#endif
   HANDLE(MPI_Comm) :: ring, grid
   integer :: rank, nprocs, left, right, form, checks, failed, total, ierror
   integer :: counts(64), displacements(64), places(64), sources(2), destinations(2)
   HANDLE(MPI_Datatype) :: types(64)
   HANDLE(MPI_Request) :: request
   HANDLE(MPI_Datatype) :: number
   HANDLE(MPI_Info) :: none

   checks = 0
   failed = 0
   call MPI_Init(ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   left = mod(rank + nprocs - 1, nprocs)
   right = mod(rank + 1, nprocs)
   sources = [left, right]
   destinations = [right, left]
   call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED, &
                                       MPI_INFO_NULL, .false., ring, ierror)
   call MPI_Cart_create(MPI_COMM_WORLD, 1, [nprocs], [.true.], .false., grid, ierror)
   counts = 1
   displacements = [1, 0, (form, form=2, 63)]
   places = 4*displacements
   number = MPI_INTEGER
   none = MPI_INFO_NULL
   types = number

   do form = 1, 2 ! nonblocking, persistent
      call fill()
      if (form == 1) call MPI_Ibarrier(ring, request, ierror)
      if (form == 2) call MPI_Barrier_init(ring, none, request, ierror)
      call finish()

      if (rank == 0) one = 77
      if (form == 1) call MPI_Ibcast(one, 1, number, 0, ring, request, ierror)
      if (form == 2) call MPI_Bcast_init(one, 1, number, 0, ring, none, request, ierror)
      call finish()
      call check(one(1) == merge(77, 100 + rank, rank == 0 .or. left == 0 .or. right == 0))

      call fill()
      if (form == 1) call MPI_Igather(one, 1, number, in, 1, number, 0, ring, request, ierror)
      if (form == 2) call MPI_Gather_init(one, 1, number, in, 1, number, 0, ring, none, request, ierror)
      call finish()
      call check(all(in(1:3) == merge([100 + left, 100 + right, -1], [-1, -1, -1], rank == 0)))

      call fill()
      if (form == 1) call MPI_Igatherv(one, 1, number, in, counts, displacements, number, 0, ring, request, ierror)
      if (form == 2) call MPI_Gatherv_init(one, 1, number, in, counts, displacements, number, 0, ring, &
                                           none, request, ierror)
      call finish()
      call check(all(in(1:3) == merge([100 + right, 100 + left, -1], [-1, -1, -1], rank == 0)))

      call fill()
      if (form == 1) call MPI_Iscatter(out, 1, number, in, 1, number, 0, ring, request, ierror)
      if (form == 2) call MPI_Scatter_init(out, 1, number, in, 1, number, 0, ring, none, request, ierror)
      call finish()
      call check(in(1) == merge(1, merge(2, -1, right == 0), left == 0))

      call fill()
      if (form == 1) call MPI_Iscatterv(out, counts, displacements, number, in, 1, number, 0, ring, request, ierror)
      if (form == 2) call MPI_Scatterv_init(out, counts, displacements, number, in, 1, number, 0, ring, &
                                            none, request, ierror)
      call finish()
      call check(in(1) == merge(2, merge(1, -1, right == 0), left == 0))

      call fill()
      if (form == 1) call MPI_Iallgather(one, 1, number, in, 1, number, ring, request, ierror)
      if (form == 2) call MPI_Allgather_init(one, 1, number, in, 1, number, ring, none, request, ierror)
      call finish()
      call check(all(in(1:3) == [100 + left, 100 + right, -1]))

      call fill()
      if (form == 1) call MPI_Iallgatherv(one, 1, number, in, counts, displacements, number, ring, request, ierror)
      if (form == 2) call MPI_Allgatherv_init(one, 1, number, in, counts, displacements, number, ring, &
                                              none, request, ierror)
      call finish()
      call check(all(in(1:3) == [100 + right, 100 + left, -1]))

      call fill()
      if (form == 1) call MPI_Ialltoall(out, 1, number, in, 1, number, ring, request, ierror)
      if (form == 2) call MPI_Alltoall_init(out, 1, number, in, 1, number, ring, none, request, ierror)
      call finish()
      call check(all(in(1:3) == [10*left + 1, 10*right + 2, -1]))

      call fill()
      if (form == 1) call MPI_Ialltoallv(out, counts, displacements, number, in, counts, displacements, number, &
                                         ring, request, ierror)
      if (form == 2) call MPI_Alltoallv_init(out, counts, displacements, number, in, counts, displacements, &
                                             number, ring, none, request, ierror)
      call finish()
      call check(all(in(1:3) == [10*right + 1, 10*left + 2, -1]))

      call fill()
      if (form == 1) call MPI_Ialltoallw(out, counts, places, types, in, counts, places, types, ring, request, ierror)
      if (form == 2) call MPI_Alltoallw_init(out, counts, places, types, in, counts, places, types, ring, none, &
                                             request, ierror)
      call finish()
      call check(all(in(1:3) == [10*right + 1, 10*left + 2, -1]))

      call fill()
      if (form == 1) call MPI_Ireduce(one, sum_of_in, 1, number, MPI_SUM, 0, ring, request, ierror)
      if (form == 2) call MPI_Reduce_init(one, sum_of_in, 1, number, MPI_SUM, 0, ring, none, request, ierror)
      call finish()
      call check(sum_of_in == merge(200 + left + right, -1, rank == 0))

      call fill()
      if (form == 1) call MPI_Iallreduce(one, sum_of_in, 1, number, MPI_SUM, ring, request, ierror)
      if (form == 2) call MPI_Allreduce_init(one, sum_of_in, 1, number, MPI_SUM, ring, none, request, ierror)
      call finish()
      call check(sum_of_in == 200 + left + right)

      call everybody(MPI_COMM_WORLD)
      call everybody(grid)
   end do

   call MPI_Comm_free(ring, ierror)
   call MPI_Comm_free(grid, ierror)
   call MPI_Reduce(failed, total, 1, number, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
   if (rank == 0) print '(i0, a, i0, a)', checks, ' checks, ', total, ' failed'
   if (rank == 0 .and. total /= 0) stop 1
   call MPI_Finalize(ierror)

contains

   subroutine fill()
      one = 100 + rank
      out = [10*rank + 1, 10*rank + 2]
      in = -1
      sum_of_in = -1
   end subroutine fill

   subroutine finish()
      if (form == 2) call MPI_Start(request, ierror)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
      if (form == 2) call MPI_Request_free(request, ierror)
   end subroutine finish

   subroutine check(right)
      logical, intent(in) :: right
      checks = checks + 1
      if (right) return
      failed = failed + 1
      print *, 'rank', rank, 'form', form, 'check', checks, ':', in(1:3), sum_of_in, one
   end subroutine check

   ! What MPI says where there are no neighborhoods.
   subroutine everybody(comm)
      HANDLE(MPI_Comm), intent(in) :: comm
      call fill()
      if (form == 1) call MPI_Iallreduce(one, sum_of_in, 1, number, MPI_SUM, comm, request, ierror)
      if (form == 2) call MPI_Allreduce_init(one, sum_of_in, 1, number, MPI_SUM, comm, none, request, ierror)
      call finish()
      call check(sum_of_in == 100*nprocs + nprocs*(nprocs - 1)/2)
      if (form == 1) call MPI_Iallgather(one, 1, number, in, 1, number, comm, request, ierror)
      if (form == 2) call MPI_Allgather_init(one, 1, number, in, 1, number, comm, none, request, ierror)
      call finish()
      call check(in(1) == 100 .and. in(nprocs) == 99 + nprocs .and. in(nprocs + 1) == -1)
   end subroutine everybody
end program orthogonal
