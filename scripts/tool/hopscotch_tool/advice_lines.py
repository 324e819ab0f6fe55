# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The lines of MPI that take the place of an exchange, in C, Fortran or Python, made from what was seen: two functions
that compile as they are. @NAME@ stands for what was seen."""

import re

NAMES = {"c": "C", "fortran": "Fortran", "mpi4py": "Python (mpi4py)"}
FORTRAN_TYPES = {"MPI_DOUBLE": "MPI_DOUBLE_PRECISION", "MPI_FLOAT": "MPI_REAL", "MPI_INT": "MPI_INTEGER"}

# By language: with a grid, without one, then with a datatype of MPI's own, with others.
TEMPLATES = {
    "c": ("""
#include <mpi.h>

enum { most_neighbors = @MOST@ };

/* Once, after MPI_Init, by all processes together: a communicator that knows the neighbors of each. Writes these
   to neighbors and returns their number. Seen on rank @RANK@: @SEEN@. */
int make_halo(MPI_Comm comm, int* neighbors, MPI_Comm* halo)
{
    int dims[@D@] = {@DIMS@}; /* for other sizes: MPI_Dims_create */
    const int periods[@D@] = {@PERIODS@};
    static const int offsets[@T@][@D@] = {
        {@OFFSETS@},
    };
    int rank, count = 0, here[@D@], there[@D@];
    MPI_Comm grid;
    MPI_Cart_create(comm, @D@, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, @D@, here);
    for (int i = 0; i < @T@; ++i) {
        int inside = 1;
        for (int k = 0; k < @D@; ++k) {
            there[k] = here[k] + offsets[i][k];
            inside = inside && (periods[k] || (there[k] >= 0 && there[k] < dims[k]));
        }
        if (inside) {
            MPI_Cart_rank(grid, there, &neighbors[count++]);
        }
    }
    MPI_Dist_graph_create_adjacent(grid, count, neighbors, MPI_UNWEIGHTED, count, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, halo);
    MPI_Comm_free(&grid);
    return count;
}
""", """
#include <mpi.h>

/* Once, after MPI_Init, by all processes together: a communicator that knows the neighbors of each, which your
   program lists. Rank @RANK@ had @PEERS@: @SEEN@. */
void make_halo(MPI_Comm comm, int count, const int* neighbors, MPI_Comm* halo)
{
    MPI_Dist_graph_create_adjacent(comm, count, neighbors, MPI_UNWEIGHTED, count, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, halo);
}
""", """
/* In the place of the messages of @FUNCTION@: the blocks for the neighbors, in their order, are in out. */
void exchange_halo(const void* out, const int* counts, const int* displacements, void* in,
                   const int* in_counts, const int* in_displacements, MPI_Comm halo)
{
    MPI_Neighbor_alltoallv(out, counts, displacements, @TYPE@,
                           in, in_counts, in_displacements, @TYPE@, halo);
}
""", """
/* In the place of the messages of @FUNCTION@; displacements are bytes. */
void exchange_halo(const void* out, const int* counts, const MPI_Aint* displacements, const MPI_Datatype* types,
                   void* in, const int* in_counts, const MPI_Aint* in_displacements,
                   const MPI_Datatype* in_types, MPI_Comm halo)
{
    MPI_Neighbor_alltoallw(out, counts, displacements, types,
                           in, in_counts, in_displacements, in_types, halo);
}
"""),
    "fortran": ("""
module halo_exchange
  use mpi
  implicit none
  integer, parameter :: most_neighbors = @MOST@
contains

  ! Once, after MPI_Init, by all processes together: a communicator that knows the neighbors of each.
  ! Seen on rank @RANK@: @SEEN@.
  subroutine make_halo(comm, neighbors, count, halo)
    integer, intent(in) :: comm
    integer, intent(out) :: neighbors(most_neighbors), count, halo
    integer :: dims(@D@) = (/ @DIMS@ /)
    logical :: periods(@D@) = (/ @LOGICALS@ /)
    integer :: offsets(@D@, @T@), here(@D@), there(@D@), grid, rank, i, error
    @ASSIGNMENTS@
    call MPI_Cart_create(comm, @D@, dims, periods, .false., grid, error)
    call MPI_Comm_rank(grid, rank, error)
    call MPI_Cart_coords(grid, rank, @D@, here, error)
    count = 0
    do i = 1, @T@
      there = here + offsets(:, i)
      if (all(periods .or. (there >= 0 .and. there < dims))) then
        count = count + 1
        call MPI_Cart_rank(grid, there, neighbors(count), error)
      end if
    end do
    call MPI_Dist_graph_create_adjacent(grid, count, neighbors, MPI_UNWEIGHTED, count, neighbors, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., halo, error)
    call MPI_Comm_free(grid, error)
  end subroutine
""", """
module halo_exchange
  use mpi
  implicit none
contains

  ! Once, after MPI_Init, by all processes together: a communicator that knows the neighbors of each, which
  ! your program lists. Rank @RANK@ had @PEERS@: @SEEN@.
  subroutine make_halo(comm, neighbors, count, halo)
    integer, intent(in) :: comm, count, neighbors(count)
    integer, intent(out) :: halo
    integer :: error
    call MPI_Dist_graph_create_adjacent(comm, count, neighbors, MPI_UNWEIGHTED, count, neighbors, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., halo, error)
  end subroutine
""", """
  ! In the place of the messages of @FUNCTION@: the blocks for the neighbors, in their order, are in out.
  subroutine exchange_halo(out, counts, displacements, in, in_counts, in_displacements, halo)
    double precision, intent(in) :: out(*) ! the type of your field
    double precision, intent(inout) :: in(*)
    integer, intent(in) :: counts(*), displacements(*), in_counts(*), in_displacements(*), halo
    integer :: error
    call MPI_Neighbor_alltoallv(out, counts, displacements, @FORTRAN_TYPE@, &
                                in, in_counts, in_displacements, @FORTRAN_TYPE@, halo, error)
  end subroutine
end module
""", """
  ! In the place of the messages of @FUNCTION@; displacements are bytes.
  subroutine exchange_halo(out, counts, displacements, types, in, in_counts, in_displacements, in_types, halo)
    double precision, intent(in) :: out(*) ! the type of your field
    double precision, intent(inout) :: in(*)
    integer, intent(in) :: counts(*), types(*), in_counts(*), in_types(*), halo
    integer(MPI_ADDRESS_KIND), intent(in) :: displacements(*), in_displacements(*)
    integer :: error
    call MPI_Neighbor_alltoallw(out, counts, displacements, types, in, in_counts, in_displacements, &
                                in_types, halo, error)
  end subroutine
end module
"""),
    "mpi4py": ("""
from mpi4py import MPI


def make_halo(comm):
    \"\"\"Once, by all processes together: (a communicator that knows the neighbors of each, these neighbors).
    Seen on rank @RANK@: @SEEN@.\"\"\"
    dims, periods = [@DIMS@], [@PERIODS@]
    offsets = [
        (@OFFSETS@,),
    ]
    grid = comm.Create_cart(dims, periods)
    neighbors = []
    for offset in offsets:
        there = [here + step for here, step in zip(grid.coords, offset)]
        if all(periodic or 0 <= at < extent for at, extent, periodic in zip(there, dims, periods)):
            neighbors.append(grid.Get_cart_rank(there))
    return grid.Create_dist_graph_adjacent(neighbors, neighbors), neighbors
""", """
from mpi4py import MPI


def make_halo(comm, neighbors):
    \"\"\"Once, by all processes together: a communicator that knows the neighbors of each, which your program
    lists. Rank @RANK@ had @PEERS@: @SEEN@.\"\"\"
    return comm.Create_dist_graph_adjacent(neighbors, neighbors)
""", """

def exchange_halo(out, counts, displacements, received, in_counts, in_displacements, halo):
    \"\"\"In the place of the messages of @FUNCTION@: the blocks for the neighbors, in their order, are in out.\"\"\"
    halo.Neighbor_alltoallv([out, counts, displacements, MPI.@PYTHON_TYPE@],
                            [received, in_counts, in_displacements, MPI.@PYTHON_TYPE@])
""", """

def exchange_halo(out, counts, displacements, types, received, in_counts, in_displacements, in_types, halo):
    \"\"\"In the place of the messages of @FUNCTION@; displacements are bytes.\"\"\"
    halo.Neighbor_alltoallw([out, counts, displacements, types],
                            [received, in_counts, in_displacements, in_types])
"""),
}
LANGUAGES = sorted(TEMPLATES)


def listed(values):
    return ", ".join(map(str, values))


def totals_by_peer(example):
    """How many elements went to each peer: several messages for one become one block."""
    found = {}
    for block in example["sent"]:
        if block["peer"] != example["rank"]:
            found[block["peer"]] = found.get(block["peer"], 0) + block["count"]
    return found


def values(exchange):
    """What stands for each @NAME@."""
    example, grid = exchange["example"], exchange["grid"]
    totals = totals_by_peer(example)
    types = {block["type"] for block in example["sent"]}
    kind = types.pop() if len(types) == 1 and "" not in types else None
    counts = " or ".join(map(str, sorted(set(totals.values()))[:4]))
    result = {"MOST": exchange["peers"]["most"], "RANK": example["rank"], "TYPE": kind,
              "FORTRAN_TYPE": FORTRAN_TYPES.get(kind, kind), "PYTHON_TYPE": (kind or "").removeprefix("MPI_"),
              "SEEN": f"{counts} {kind} for each neighbor" if kind else "datatypes of the program",
              "PEERS": listed(sorted(totals)[:8]) + ", ..." * (len(totals) > 8),
              "FUNCTION": exchange["function"].split(",")[0].split("::")[-1]}
    if grid and exchange["kind"] == "grid":
        offsets = grid["offsets"]
        result.update({
            "D": len(grid["dims"]), "T": len(offsets), "DIMS": listed(grid["dims"]),
            "PERIODS": listed(map(int, grid["periodic"])),
            "LOGICALS": listed(".true." if one else ".false." for one in grid["periodic"]),
            "OFFSETS": [listed(offset) for offset in offsets],
            "ASSIGNMENTS": [f"offsets(:, {i}) = (/ {listed(offset)} /)" for i, offset in enumerate(offsets, 1)]})
    return result


def lines(exchange, language):
    """They are for one of LANGUAGES."""
    known = values(exchange)
    with_grid, without, of_mpi, others = TEMPLATES[language]
    text = (with_grid if "D" in known else without) + (of_mpi if known["TYPE"] else others)
    for line in text.strip("\n").split("\n"):
        name = re.search(r"@(OFFSETS|ASSIGNMENTS)@", line)
        for part in known[name[1]] if name else [None]:
            yield re.sub(r"@(\w+)@", lambda found, part=part: part if name and found[1] == name[1]
                         else str(known[found[1]]), line)
