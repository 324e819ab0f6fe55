! SPDX-FileCopyrightText: 2026 The Hopscotch authors
! SPDX-License-Identifier: BSD-3-Clause
! Compiles where there is what the modules need: both modules of MPI, and arguments of any type and rank.
module probe
   use mpi_f08, only: MPI_Comm, MPI_ADDRESS_KIND
   implicit none
   interface
      subroutine any_buffer(buffer) bind(C)
         type(*), dimension(..) :: buffer
      end subroutine
   end interface
end module

module probe_mpi
   use mpi, only: MPI_IN_PLACE
   implicit none
end module
