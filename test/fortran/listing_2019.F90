! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Listings 1 to 4 of Träff & Hunold, ICPP 2019, in Fortran: 5- and 9-point stencils on tori and meshes with
! Hop_Cart_alltoallw, and the trivial algorithm written with Hop_Cart_relative_shift; against a serial computation.
#include "flavor.inc"
program listing_2019
   MPI_MODULE
   HOPSCOTCH_MODULE
   use CHECKS
   implicit none
   HANDLE(MPI_Info) :: info
   integer :: code, periodic

   call MPI_Init(code)
   call MPI_Info_create(info, code)
   call MPI_Info_set(info, 'trivial', 'false', code)
   do periodic = 0, 1
      call stencil(periodic == 1, 5, .false., MPI_INFO_NULL)
      call stencil(periodic == 1, 9, .false., info)
      call stencil(periodic == 1, 9, .true., info)
   end do
   call MPI_Info_free(info, code)
   call graph_of_neighborhood()
   call finish_checks()

contains

   subroutine stencil(periodic, points, by_hand, info)
      logical, intent(in) :: periodic, by_hand
      integer, intent(in) :: points
      HANDLE(MPI_Info), intent(in) :: info
      double precision :: matrix(0:n + 1, 0:n + 1)
      HANDLE(MPI_Comm) :: cart
      type(grid) :: of
      type(halo) :: blocks
      integer :: p, t, rank, step, code

      call MPI_Comm_size(MPI_COMM_WORLD, p, code)
      of%dims = 0
      of%periodic = periodic
      t = points - 1
      call MPI_Dims_create(p, 2, of%dims, code)
      call Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, of%dims, [periodic, periodic], t, moore, MPI_UNWEIGHTED, &
                                        info, .false., cart, code)
      CHECK(code == MPI_SUCCESS)
      call MPI_Comm_rank(cart, rank, code)
      call MPI_Cart_coords(cart, rank, 2, of%here, code) ! it is a Cartesian communicator
      call fill(of, matrix)
      call make_halo(blocks)
      call Hop_Cart_alltoallw_init(matrix, blocks%counts, blocks%sdispls, blocks%types, matrix, blocks%counts, &
                                   blocks%rdispls, blocks%types, cart, code)
      CHECK(code == MPI_SUCCESS)
      do step = 1, steps
         if (by_hand) then
            call trivial_alltoallw(matrix, blocks, t, cart)
         else
            call Hop_Cart_alltoallw(matrix, blocks%counts, blocks%sdispls, blocks%types, matrix, blocks%counts, &
                                    blocks%rdispls, blocks%types, cart, code)
            CHECK(code == MPI_SUCCESS)
         end if
         call update(matrix, points)
      end do
      call check_against_serial(of, matrix, points)
      call MPI_Comm_free(cart, code)
   end subroutine

   ! Listing 4, with blocks where Listing 3 has them.
   subroutine trivial_alltoallw(matrix, blocks, t, comm)
      double precision, intent(inout) :: matrix((n + 2)*(n + 2))
      type(halo), intent(in) :: blocks
      integer, intent(in) :: t
      HANDLE(MPI_Comm), intent(in) :: comm
      integer :: i, source, dest, code
      do i = 1, t
         call Hop_Cart_relative_shift(comm, moore(:, i), source, dest, code)
         call MPI_Sendrecv(matrix(1 + blocks%sdispls(i)/8), 1, blocks%types(i), dest, 0, &
                           matrix(1 + blocks%rdispls(i)/8), 1, blocks%types(i), source, 0, comm, &
                           MPI_STATUS_IGNORE, code)
      end do
   end subroutine

   ! Hop_Cart_neighbor_get returns what MPI_Dist_graph_create_adjacent wants (section 2.2).
   subroutine graph_of_neighborhood()
      HANDLE(MPI_Comm) :: cart, graph
      integer :: p, t, rank, dims(2), source(8), sink(8), weights(8), received(8), by_graph(8), i, code
      call MPI_Comm_size(MPI_COMM_WORLD, p, code)
      dims = 0
      call MPI_Dims_create(p, 2, dims, code)
      call Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], 8, moore, [(i, i=1, 8)], &
                                        MPI_INFO_NULL, .false., cart, code)
      call Hop_Cart_neighbor_count(cart, t, code)
      CHECK(t == 8)
      call Hop_Cart_neighbor_get(cart, t, source, MPI_UNWEIGHTED, t, sink, weights, code)
      CHECK(code == MPI_SUCCESS .and. all(weights == [(i, i=1, 8)]))
      call MPI_Dist_graph_create_adjacent(cart, t, source, [(1, i=1, 8)], t, sink, weights, MPI_INFO_NULL, &
                                          .false., graph, code)
      call MPI_Comm_rank(cart, rank, code)
      call Hop_Cart_allgather(rank, 1, MPI_INTEGER, received, 1, MPI_INTEGER, cart, code)
      call MPI_Neighbor_allgather([rank], 1, MPI_INTEGER, by_graph, 1, MPI_INTEGER, graph, code)
      CHECK(all(received == source) .and. all(by_graph == source))
      call MPI_Comm_free(graph, code)
      call MPI_Comm_free(cart, code)
   end subroutine

end program
