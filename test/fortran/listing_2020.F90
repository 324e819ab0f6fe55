! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Figure 1b and Listings 2 and 7 of Träff et al., "A Case for Orthogonality", in Fortran: the 9-point stencil as
! proposed, and the Game of Life with a sparse Allreduce, against serial computations.
#include "flavor.inc"
program listing_2020
   MPI_MODULE
   HOPSCOTCH_MODULE
   use CHECKS
   implicit none
   HANDLE(MPI_Comm) :: world ! named anew in every part
   integer :: code, p, rank, dims(2) = 0
   integer :: periodic

   call MPI_Init(code)
   call MPI_Comm_dup(MPI_COMM_WORLD, world, code)
   call MPI_Comm_size(world, p, code)
   call MPI_Comm_rank(world, rank, code)
   call MPI_Dims_create(p, 2, dims, code)
   do periodic = 0, 1
      call stencil(periodic == 1)
      call game_of_life(periodic == 1)
   end do
   call MPI_Comm_free(world, code)
   call finish_checks()

contains

   ! The graph of the neighbors that exist, and which of all 8 its sources and targets are.
   subroutine make_graph(periodic, graph, sources, targets)
      logical, intent(in) :: periodic
      HANDLE(MPI_Comm), intent(out) :: graph
      integer, allocatable, intent(out) :: sources(:), targets(:)
      integer :: named, from(8), to(8), i, code
      logical :: flag
      call Hop_Cart_name(world, 2, HOP_ROWMAJOR, dims, [periodic, periodic], named, code)
      CHECK(code == MPI_SUCCESS .and. named == p)
      call Hop_Cart_allranks_relative(world, rank, 8, moore, to, code)
      call Hop_Cart_allranks_relative(world, rank, 8, -moore, from, code)
      sources = pack([(i, i=1, 8)], from /= MPI_PROC_NULL)
      targets = pack([(i, i=1, 8)], to /= MPI_PROC_NULL)
      call MPI_Dist_graph_create_adjacent(world, size(sources), from(sources), sources, size(targets), to(targets), &
                                          targets, MPI_INFO_NULL, .false., graph, code)
      call Hop_Comm_is_cartesian(world, graph, flag, code)
      CHECK(code == MPI_SUCCESS .and. flag)
   end subroutine

   subroutine stencil(periodic)
      logical, intent(in) :: periodic
      double precision :: matrix(0:n + 1, 0:n + 1)
      HANDLE(MPI_Comm) :: graph, base
      integer, allocatable :: sources(:), targets(:)
      type(grid) :: of
      type(halo) :: blocks
      integer :: step, code
      logical :: mine, iterate

      call make_graph(periodic, graph, sources, targets)
      call Hop_Comm_base(graph, base, code)
      of%dims = dims
      of%periodic = periodic
      call Hop_Cart_coordinates(world, rank, of%here, code)
      call fill(of, matrix)
      call make_halo(blocks)
      iterate = .true.
      step = 0
      do while (iterate)
         call Hop_Alltoallw(matrix, blocks%counts, blocks%sdispls(targets), blocks%types(targets), matrix, &
                            blocks%counts, blocks%rdispls(sources), blocks%types(sources), graph, code)
         CHECK(code == MPI_SUCCESS)
         call update(matrix, 9)
         step = step + 1
         mine = step < steps .or. rank > 0 ! the convergence check: rank 0 decides when to stop
         call MPI_Allreduce(mine, iterate, 1, MPI_LOGICAL, MPI_LAND, base, code)
      end do
      call check_against_serial(of, matrix, 9)
      call MPI_Comm_free(graph, code)
      call MPI_Comm_free(base, code)
   end subroutine

   ! Listing 7: one cell per process.
   subroutine game_of_life(periodic)
      logical, intent(in) :: periodic
      HANDLE(MPI_Comm) :: graph
      integer, allocatable :: sources(:), targets(:), offsets(:, :), ranks(:)
      integer :: board(0:dims(2) - 1, 0:dims(1) - 1), live_around(0:dims(2) - 1, 0:dims(1) - 1)
      integer :: moved(0:dims(2) - 1, 0:dims(1) - 1), state, live, t, i, generation, code

      call make_graph(periodic, graph, sources, targets)
      call Hop_Cart_neighbors_count(world, rank, HOP_CHEBYCHEV_DISTANCE, 1, 1, t, code)
      CHECK(code == MPI_SUCCESS .and. t == size(targets))
      allocate (offsets(2, t), ranks(t))
      call Hop_Cart_neighbors(world, rank, HOP_CHEBYCHEV_DISTANCE, 1, 1, t, offsets, code)
      call Hop_Cart_allranks_relative(world, rank, t, offsets, ranks, code)
      CHECK(code == MPI_SUCCESS)
      call MPI_Comm_free(graph, code)
      call MPI_Dist_graph_create_adjacent(world, t, ranks, [(1, i=1, t)], t, ranks, [(1, i=1, t)], &
                                          MPI_INFO_NULL, .false., graph, code)
      board = reshape([(merge(1, 0, mod(i, 3) == 0 .or. mod(i, 7) == 1), i=0, p - 1)], [dims(2), dims(1)])
      state = cell(board)
      do generation = 1, 6
         live = 0
         call Hop_Allreduce(state, live, 1, MPI_INTEGER, MPI_SUM, graph, code)
         CHECK(code == MPI_SUCCESS)
         if (live < 2 .or. live > 3) state = 0
         if (live == 3) state = 1
         live_around = 0
         do i = 1, 8
            if (periodic) then
               moved = cshift(cshift(board, moore(1, i), 2), moore(2, i), 1)
            else
               moved = eoshift(eoshift(board, moore(1, i), 0, 2), moore(2, i), 0, 1)
            end if
            live_around = live_around + moved
         end do
         board = merge(1, 0, live_around == 3 .or. (live_around == 2 .and. board == 1))
         CHECK(state == cell(board))
      end do
      call MPI_Comm_free(graph, code)
   end subroutine

   ! The own cell of the board: ranks are in row-major order.
   pure integer function cell(board)
      integer, intent(in) :: board(0:, 0:)
      cell = board(mod(rank, dims(2)), rank/dims(2))
   end function

end program
