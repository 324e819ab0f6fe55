! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Every kind of argument reaches the C functions, and comes back: logicals, constants that are addresses, scalars and
! sections as buffers, counts, strings, structures, handles of all kinds, error codes.
#include "flavor.inc"
program arguments
   MPI_MODULE
   HOPSCOTCH_MODULE
   use CHECKS
   use, intrinsic :: iso_c_binding
   implicit none
   HANDLE(MPI_Comm) :: ring
   integer :: code, p, rank, before, after
   character(len=8) :: setting

   call MPI_Init(code)
   call MPI_Comm_size(MPI_COMM_WORLD, p, code)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
   before = modulo(rank - 1, p)
   after = modulo(rank + 1, p)
   ! From the process before to the one after, and from and to itself.
   call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [before, rank], [1, 1], 2, [after, rank], [1, 1], &
                                       MPI_INFO_NULL, .false., ring, code)
   call information()
   call naming()
   call neighborhoods()
   call requests()
   call constants()
   call sections()
   call memory_of_calls()
   call communicators()
   call get_environment_variable("HOPSCOTCH", setting)
   if (setting /= "off") call star() ! MPICH 4.0.2 takes the number of sources for that of destinations
   call line()
   if (p > 2) call between_groups()
   call windows()
   call MPI_Comm_free(ring, code)
   call finish_checks()

contains

   logical function is_error(code, expected)
      integer, intent(in) :: code, expected
      integer :: class, error
      call MPI_Error_class(code, class, error)
      is_error = class == expected
   end function

   subroutine information()
      type(Hop_Counters_type) :: counters
      integer :: received(2), code
      logical :: active, written
      call Hop_active(active, code)
      CHECK(code == MPI_SUCCESS)
      CHECK(index(Hop_version(), '.') > 0 .and. index(Hop_version(), c_null_char) == 0)
      call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, received, 1, MPI_INTEGER, ring, code)
      call Hop_counting(.false., code)
      call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, received, 1, MPI_INTEGER, ring, code)
      call Hop_counting(.true., code)
      call Hop_counters(ring, counters, code)
      CHECK(code == MPI_SUCCESS .and. counters%calls == merge(1, 0, active) .and. counters%failed == 0)
      call Hop_counters(MPI_COMM_NULL, counters, code)
      CHECK(code == MPI_SUCCESS)
      call Hop_report('hop_report_of_fortran.txt  ', code)
      CHECK(is_error(code, merge(MPI_SUCCESS, MPI_ERR_OTHER, active)))
      call Hop_report('', code) ! as HOPSCOTCH_REPORT says
      CHECK(is_error(code, merge(MPI_SUCCESS, MPI_ERR_OTHER, active)))
      if (rank /= 0) return
      inquire (file='hop_report_of_fortran.txt', exist=written)
      CHECK(written .eqv. active)
      if (.not. written) return
      open (10, file='hop_report_of_fortran.txt')
      close (10, status='delete')
   end subroutine

   subroutine naming()
      HANDLE(MPI_Comm) :: named, part
      integer :: size, d, order, sizes(3), parts, code
      logical :: flag, periods(3)
      call MPI_Comm_dup(MPI_COMM_WORLD, named, code)
      call Hop_Cart_test(named, flag, d, size, code)
      CHECK(code == MPI_SUCCESS .and. .not. flag .and. d == -1)
      call Hop_Cart_get(named, order, 3, sizes, periods, code)
      CHECK(is_error(code, MPI_ERR_COMM))
      call Hop_Cart_name(named, 2, HOP_COLMAJOR, [1, p], [.false., .true.], size, code)
      CHECK(code == MPI_SUCCESS .and. size == p)
      call Hop_Cart_testall(named, flag, d, size, code)
      CHECK(code == MPI_SUCCESS .and. flag .and. d == 2 .and. size == p)
      sizes = -7
      periods = [.true., .false., .false.]
      call Hop_Cart_get(named, order, 3, sizes, periods, code)
      CHECK(code == MPI_SUCCESS .and. order == HOP_COLMAJOR .and. all(sizes == [1, p, -7]))
      CHECK(all(periods .eqv. [.false., .true., .false.]))
      call Hop_Cart_get(named, order, -1, sizes, periods, code)
      CHECK(is_error(code, MPI_ERR_ARG))
      call Hop_Cart_create_sub(named, [.true., .false.], part, code)
      CHECK(code == MPI_SUCCESS)
      call MPI_Comm_size(part, parts, code)
      CHECK(parts == 1)
      call MPI_Comm_free(part, code)
      call MPI_Comm_free(named, code)
   end subroutine

   subroutine neighborhoods()
      HANDLE(MPI_Comm) :: cart
      integer :: source(3), weights(3), target(3), received(6), indices(3), multiplicity(2), code
      ! From two processes before, from itself and from the process behind.
      call Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, [p], [.true.], 3, [2, 0, -1], MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., cart, code)
      CHECK(code == MPI_SUCCESS)
      weights = -7
      call Hop_Cart_neighbor_get(cart, 3, source, weights, 3, target, MPI_UNWEIGHTED, code)
      CHECK(code == MPI_SUCCESS .and. all(weights == -7))
      CHECK(all(source == [modulo(rank - 2, p), rank, after]))
      call Hop_Cart_neighbor_find_rank(cart, rank, 3, indices, multiplicity(1), 0, indices, multiplicity(2), code)
      CHECK(indices(1) == merge(0, 1, p <= 2)) ! positions are counted from 0, as ranks are
      received = -7
      call Hop_Cart_alltoallv([100*rank, 100*rank + 1, 100*rank + 2], [1, 1, 1], [2, 1, 0], MPI_INTEGER, received, &
                              [1, 1, 1], [4, 2, 0], MPI_INTEGER, cart, code)
      CHECK(code == MPI_SUCCESS .and. all(received(2:6:2) == -7))
      CHECK(all(received(5:1:-2) == 100*source + [2, 1, 0]))
      call Hop_Cart_alltoall(MPI_IN_PLACE, 1, MPI_INTEGER, received, 1, MPI_INTEGER, cart, code)
      CHECK(is_error(code, MPI_ERR_BUFFER))
      call MPI_Comm_free(cart, code)
      ! Weights, into a section.
      call Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, [p], [.true.], 3, [2, 0, -1], [50, 60, 70], &
                                        MPI_INFO_NULL, .false., cart, code)
      received = -7
      call Hop_Cart_neighbor_get(cart, 3, source, weights, 3, target, received(1:5:2), code)
      CHECK(code == MPI_SUCCESS .and. all(weights == [50, 60, 70]) .and. all(received == [50, -7, 60, -7, 70, -7]))
      received = -7
      call Hop_Cart_neighbor_get_relative(cart, 3, source, received(6:2:-2), code)
      CHECK(all(source == [2, 0, -1]) .and. all(received == [-7, 70, -7, 60, -7, 50]))
      call MPI_Comm_free(cart, code)
      call Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 0, [p], [.true.], 3, [2, 0, -1], MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., cart, code)
      CHECK(is_error(code, MPI_ERR_DIMS) .and. cart == MPI_COMM_NULL)
      call Hop_Cart_alltoall(received, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_NULL, code)
      CHECK(is_error(code, MPI_ERR_COMM))
   end subroutine

   ! Rank 0 sends to all, the others to themselves: each side has as many types as neighbors.
   subroutine star()
      HANDLE(MPI_Comm) :: graph
      HANDLE(MPI_Datatype) :: sendtypes(p), recvtypes(2)
      integer :: sent(p), received(2), ones(p + 1), k, targets, sources
      targets = merge(p, 1, rank == 0)
      sources = merge(1, 2, rank == 0)
      ones = 1
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, [0, rank], ones, targets, &
                                          [(merge(k, rank, rank == 0), k=0, p - 1)], ones, MPI_INFO_NULL, .false., &
                                          graph, code)
      sent = [(100*rank + 10 + k, k=1, p)]
      received = -7
      sendtypes = MPI_INTEGER
      recvtypes = MPI_INTEGER
      call Hop_Alltoallw(sent, ones, [(4_MPI_ADDRESS_KIND*k, k=0, p - 1)], sendtypes, received, ones, &
                         [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], recvtypes, graph, code)
      CHECK(code == MPI_SUCCESS .and. received(1) == 11 + rank)
      CHECK(received(2) == merge(-7, 100*rank + 11, rank == 0))
      call MPI_Comm_free(graph, code)
   end subroutine

   ! A line by MPI_Graph_create, on which rank 0 has fewer neighbors than others.
   subroutine line()
      HANDLE(MPI_Comm) :: graph
      HANDLE(MPI_Datatype) :: types(2)
      integer :: ends(p), edges(2*p), received(2), i, k, code
      k = 0
      do i = 0, p - 1
         if (i > 0) edges(k + 1) = i - 1
         k = k + merge(1, 0, i > 0)
         if (i < p - 1) edges(k + 1) = i + 1
         k = k + merge(1, 0, i < p - 1)
         ends(i + 1) = k
      end do
      call MPI_Graph_create(MPI_COMM_WORLD, p, ends, edges, .false., graph, code)
      received = -7
      types = MPI_INTEGER
      call Hop_Alltoallw([100*rank + 1, 100*rank + 2], [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, &
                         received, [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, graph, code)
      CHECK(code == MPI_SUCCESS)
      if (rank == 0) then
         CHECK(received(1) == merge(101, -7, p > 1) .and. received(2) == -7)
      else
         CHECK(received(1) == 100*(rank - 1) + merge(1, 2, rank == 1))
         CHECK(received(2) == merge(100*(rank + 1) + 1, -7, rank < p - 1))
      end if
      call MPI_Comm_free(graph, code)
   end subroutine

   ! Between rank 0 and all others: as many types as the other group has processes.
   subroutine between_groups()
      HANDLE(MPI_Comm) :: part, between
      HANDLE(MPI_Datatype) :: types(p)
      integer :: received(p), k, code
      call MPI_Comm_split(MPI_COMM_WORLD, merge(0, 1, rank == 0), rank, part, code)
      call MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, merge(1, 0, rank == 0), 0, between, code)
      received = -7
      types = MPI_INTEGER
      call Hop_Alltoallw([(100*rank + k, k=1, p)], [(1, k=1, p)], [(4_MPI_ADDRESS_KIND*k, k=0, p - 1)], types, &
                         received, [(1, k=1, p)], [(4_MPI_ADDRESS_KIND*k, k=0, p - 1)], types, between, code)
      CHECK(code == MPI_SUCCESS)
      if (rank == 0) then
         CHECK(all(received(1:p - 1) == [(100*k + 1, k=1, p - 1)]) .and. received(p) == -7)
      else
         CHECK(received(1) == rank .and. all(received(2:) == -7))
      end if
      call MPI_Comm_free(between, code)
      call MPI_Comm_free(part, code)
   end subroutine

   subroutine requests()
      HANDLE(MPI_Comm) :: cart
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Datatype) :: types(2)
      integer, asynchronous, save :: sent(2), received(2)
      integer :: round, code
      call Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, [p], [.true.], 2, [1, 0], MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                        .false., cart, code)
      sent = [10*rank, 10*rank + 1]
      received = -7
      types = MPI_INTEGER
      call Hop_Icart_alltoallw(sent, [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, received, [1, 1], &
                               [4_MPI_ADDRESS_KIND, 0_MPI_ADDRESS_KIND], types, cart, request, code)
      CHECK(code == MPI_SUCCESS .and. request /= MPI_REQUEST_NULL)
      types = MPI_DATATYPE_NULL ! the array may change once the call has returned
      call MPI_Wait(request, MPI_STATUS_IGNORE, code)
      CHECK(all(received == [10*rank + 1, 10*before]))
      call Hop_Cart_allreduce_init_request(sent, received, 1, MPI_INTEGER, MPI_SUM, cart, MPI_INFO_NULL, request, code)
      CHECK(code == MPI_SUCCESS)
      do round = 1, 3
         sent(1) = rank*round
         call MPI_Start(request, code)
         call MPI_Wait(request, MPI_STATUS_IGNORE, code)
         CHECK(received(1) == (rank + before)*round .and. received(2) == 10*before)
      end do
      call MPI_Request_free(request, code)
      ! In use after the call: no copy will do.
      call Hop_Icart_alltoall(sent(2:1:-1), 1, MPI_INTEGER, received, 1, MPI_INTEGER, cart, request, code)
      CHECK(is_error(code, MPI_ERR_BUFFER) .and. request == MPI_REQUEST_NULL)
      types = MPI_INTEGER ! one for each neighbor, for any number of processes
      call Hop_Alltoallw(sent, [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, received, [1, 1], &
                         [4_MPI_ADDRESS_KIND, 0_MPI_ADDRESS_KIND], types, cart, code)
      CHECK(code == MPI_SUCCESS .and. all(received == [10*rank + 1, 3*before]))
      call MPI_Comm_free(cart, code)
      call collective_requests()
   end subroutine

   ! On a graph and on all processes.
   subroutine collective_requests()
      HANDLE(MPI_Request) :: request
      HANDLE(MPI_Datatype) :: types(p)
      integer, asynchronous, save :: mine, sum, all_ranks(64)
      integer :: i, code
      mine = rank
      call Hop_Iallreduce(mine, sum, 1, MPI_INTEGER, MPI_SUM, ring, request, code)
      CHECK(code == MPI_SUCCESS)
      call MPI_Wait(request, MPI_STATUS_IGNORE, code)
      CHECK(sum == rank + before)
      types = MPI_INTEGER
      all_ranks = -7
      call Hop_Iallgatherw(mine, 1, MPI_INTEGER, all_ranks, [(1, i=1, p)], [(4_MPI_ADDRESS_KIND*(p - i), i=1, p)], &
                           types, MPI_COMM_WORLD, request, code)
      CHECK(code == MPI_SUCCESS)
      types = MPI_DATATYPE_NULL
      call MPI_Wait(request, MPI_STATUS_IGNORE, code)
      CHECK(all(all_ranks(:p) == [(p - i, i=1, p)]) .and. all_ranks(p + 1) == -7)
   end subroutine

   subroutine constants()
      HANDLE(MPI_Datatype) :: absolute
      integer(MPI_ADDRESS_KIND) :: address
      integer, asynchronous, save :: letter
      integer :: sum, code
      sum = rank
      call Hop_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, ring, code)
      CHECK(code == MPI_SUCCESS .and. sum == rank + before)
      letter = merge(42, -1, rank == 0)
      call MPI_Get_address(letter, address, code)
      call MPI_Type_create_hindexed(1, [1], [address], MPI_INTEGER, absolute, code)
      call MPI_Type_commit(absolute, code)
      call Hop_Bcast(MPI_BOTTOM, 1, absolute, 0, ring, code)
      call MPI_Type_free(absolute, code)
      CHECK(code == MPI_SUCCESS .and. letter == merge(42, -1, rank == 0 .or. before == 0))
   end subroutine

   ! Sections that are not contiguous are as good as a contiguous buffer of their elements.
   subroutine sections()
      integer :: sent(2, 4), received(2, 3, 2), i, code
      sent = reshape([(10*rank + i, i=1, 8)], [2, 4])
      received = -7
      call Hop_Allgather(sent(2, 4:1:-3), 2, MPI_INTEGER, received(1, 3:1:-2, :), 2, MPI_INTEGER, ring, code)
      CHECK(code == MPI_SUCCESS .and. all(received(2, :, :) == -7) .and. all(received(1, 2, :) == -7))
      CHECK(all(received(1, 3, :) == [10*before + 8, 10*rank + 8]))
      CHECK(all(received(1, 1, :) == [10*before + 2, 10*rank + 2]))
      call Hop_Allgather(rank, 1, MPI_INTEGER, received(2:2, 1, 1:2), 1, MPI_INTEGER, ring, code)
      CHECK(code == MPI_SUCCESS .and. all(received(2, 1, :) == [before, rank]) .and. all(received(2, 2:, :) == -7))
   end subroutine

   ! Copies of sections, and lists of datatypes, go with their call.
   subroutine memory_of_calls()
      integer, allocatable :: sent(:, :), received(:, :)
      HANDLE(MPI_Datatype) :: types(2)
      integer :: i, code, pages
      allocate (sent(2, 65536), received(4, 65536))
      sent = rank
      types = MPI_INTEGER
      do i = 1, 110
         call Hop_Allgather(sent(1, :), 65536, MPI_INTEGER, received(1:3:2, :), 65536, MPI_INTEGER, ring, code)
         if (i == 10) pages = pages_in_use()
      end do
      CHECK(code == MPI_SUCCESS .and. pages_in_use() - pages < 2000) ! 19200 for all copies
      pages = pages_in_use()
      do i = 1, 200000
         call Hop_Alltoallw(sent, [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, received, [1, 1], &
                            [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, MPI_COMM_NULL, code)
      end do
      CHECK(is_error(code, MPI_ERR_COMM) .and. pages_in_use() - pages < 1000) ! 3100 for all lists
   end subroutine

   ! Of 4 KiB.
   integer function pages_in_use()
      integer :: file, all
      open (newunit=file, file='/proc/self/statm', action='read')
      read (file, *) all, pages_in_use
      close (file)
   end function

   subroutine communicators()
      HANDLE(MPI_Group) :: group, all_of_group
      HANDLE(MPI_Comm) :: part
      integer :: size, code
      call Hop_Comm_split(ring, mod(rank, 2), -rank, part, code)
      CHECK(code == MPI_SUCCESS)
      call MPI_Comm_size(part, size, code)
      CHECK(size == (p + 1 - mod(rank, 2))/2)
      call MPI_Comm_free(part, code)
      call Hop_Comm_split(ring, merge(MPI_UNDEFINED, 1, rank == 0), 0, part, code)
      CHECK(code == MPI_SUCCESS .and. (part == MPI_COMM_NULL) .eqv. (rank == 0))
      if (rank /= 0) call MPI_Comm_free(part, code)
      call MPI_Comm_group(ring, all_of_group, code)
      call MPI_Group_incl(all_of_group, 1, [0], group, code)
      call Hop_Comm_create(ring, group, part, code)
      CHECK(code == MPI_SUCCESS .and. (part /= MPI_COMM_NULL) .eqv. (rank == 0))
      if (rank == 0) call MPI_Comm_free(part, code)
      call MPI_Group_free(group, code)
      call MPI_Group_free(all_of_group, code)
   end subroutine

   subroutine windows()
      HANDLE(MPI_Win) :: window
      HANDLE(MPI_Group) :: sources, targets
      integer, asynchronous, save :: memory(4)
      integer :: size, code
      memory = -7
      call Hop_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, ring, window, code)
      CHECK(code == MPI_SUCCESS)
      call Hop_Win_neighbor_groups(window, sources, targets, code)
      call MPI_Group_size(targets, size, code)
      CHECK(size == merge(1, 2, p == 1))
      call MPI_Group_free(sources, code)
      call MPI_Group_free(targets, code)
      call Hop_Win_fence(0, window, code)
      call MPI_Put(rank, 1, MPI_INTEGER, after, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window, code)
      call Hop_Win_fence(MPI_MODE_NOSUCCEED, window, code)
      CHECK(code == MPI_SUCCESS .and. all(memory == [-7, -7, before, -7]))
      call Hop_Win_free(window, code)
      CHECK(code == MPI_SUCCESS .and. window == MPI_WIN_NULL)
      ! In use after the call: no copy will do.
      call Hop_Win_create(memory(1:4:2), 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, ring, window, code)
      CHECK(is_error(code, MPI_ERR_BUFFER) .and. window == MPI_WIN_NULL)
#ifndef BY_MPI
      call Hop_Barrier(ring) ! without an error code
#endif
   end subroutine

end program
