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

/* Once, after MPI_Init, by all processes together: a communicator that knows the neighbors of each. Writes these,
   each once and other processes only, to neighbors, and returns their number.
   Seen on rank @RANK@ of @SIZE@: @SEEN@.@ASK@ */
int make_halo(MPI_Comm comm, @PERIODS_C@int* neighbors, MPI_Comm* halo)
{
    int dims[@D@] = {@DIMS@};@PERIODS_LINE_C@
    static const int offsets[@T@][@D@] = {
        {@OFFSETS@},
    };
    int size, rank, other, count = 0, here[@D@], there[@D@];
    MPI_Comm grid;
    MPI_Comm_size(comm, &size);
    if (size != @SIZE@) { /* other sizes than the one seen */
        for (int k = 0; k < @D@; ++k) {
            dims[k] = dims[k] > 1 ? 0 : 1;
        }
        MPI_Dims_create(size, @D@, dims);
    }
    MPI_Cart_create(comm, @D@, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, @D@, here);
    for (int i = 0; i < @T@; ++i) {
        int is_new = 1;
        for (int k = 0; k < @D@; ++k) {
            there[k] = here[k] + offsets[i][k];
            is_new = is_new && (periods[k] || (there[k] >= 0 && there[k] < dims[k]));
        }
        if (is_new) {
            MPI_Cart_rank(grid, there, &other);
            is_new = other != rank;
            for (int j = 0; j < count; ++j) {
                is_new = is_new && neighbors[j] != other;
            }
            if (is_new) {
                neighbors[count++] = other;
            }
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

  ! Once, after MPI_Init, by all processes together: a communicator that knows the neighbors of each, which
  ! are each listed once, and other processes only. Seen on rank @RANK@ of @SIZE@: @SEEN@.@ASK_FORTRAN@
  subroutine make_halo(comm, @PERIODS_ARGUMENT@neighbors, count, halo)
    integer, intent(in) :: comm
    @PERIODS_DECLARED@
    integer, intent(out) :: neighbors(most_neighbors), count, halo
    integer :: dims(@D@) = (/ @DIMS@ /)
    integer :: offsets(@D@, @T@), here(@D@), there(@D@), grid, size, rank, other, i, error
    @ASSIGNMENTS@
    call MPI_Comm_size(comm, size, error)
    if (size /= @SIZE@) then ! other sizes than the one seen
      where (dims > 1) dims = 0
      call MPI_Dims_create(size, @D@, dims, error)
    end if
    call MPI_Cart_create(comm, @D@, dims, periods, .false., grid, error)
    call MPI_Comm_rank(grid, rank, error)
    call MPI_Cart_coords(grid, rank, @D@, here, error)
    count = 0
    do i = 1, @T@
      there = here + offsets(:, i)
      if (all(periods .or. (there >= 0 .and. there < dims))) then
        call MPI_Cart_rank(grid, there, other, error)
        if (other /= rank .and. all(neighbors(1:count) /= other)) then
          count = count + 1
          neighbors(count) = other
        end if
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


def make_halo(comm@PERIODS_PARAMETER@):
    \"\"\"Once, by all processes together: (a communicator that knows the neighbors of each, these neighbors: each once,
    other processes only). Seen on rank @RANK@ of @SIZE@: @SEEN@.@ASK@\"\"\"
    dims = [@DIMS@] if comm.size == @SIZE@ else MPI.Compute_dims(comm.size, [@FREE@])@PERIODS_LINE_PYTHON@
    offsets = [
        (@OFFSETS@,),
    ]
    grid = comm.Create_cart(dims, periods)
    neighbors = []
    for offset in offsets:
        there = [here + step for here, step in zip(grid.coords, offset)]
        if all(periodic or 0 <= at < extent for at, extent, periodic in zip(there, dims, periods)):
            other = grid.Get_cart_rank(there)
            if other != grid.rank and other not in neighbors:
                neighbors.append(other)
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


def periods_of(grid):
    """Periods as they were seen, or an argument where messages do not show them."""
    d = len(grid["dims"])
    if any(grid.get("either") or []):
        ask = "periods: true for the periodic dimensions, which the messages seen do not show."
        return {"ASK": f"\n   {ask}", "ASK_FORTRAN": f"\n  ! {ask}", "PERIODS_C": "const int* periods, ",
                "PERIODS_LINE_C": "", "PERIODS_ARGUMENT": "periods, ",
                "PERIODS_DECLARED": f"logical, intent(in) :: periods({d})", "PERIODS_PARAMETER": ", periods",
                "PERIODS_LINE_PYTHON": ""}
    seen = listed(map(int, grid["periodic"]))
    logicals = listed(".true." if one else ".false." for one in grid["periodic"])
    return {"ASK": "", "ASK_FORTRAN": "", "PERIODS_C": "",
            "PERIODS_LINE_C": f"\n    const int periods[{d}] = {{{seen}}};", "PERIODS_ARGUMENT": "",
            "PERIODS_DECLARED": f"logical :: periods({d}) = (/ {logicals} /)", "PERIODS_PARAMETER": "",
            "PERIODS_LINE_PYTHON": f"\n    periods = [{seen}]"}


def values(exchange):
    """What stands for each @NAME@."""
    example, grid = exchange["example"], exchange["grid"]
    totals = totals_by_peer(example)
    types = {block["type"] for block in example["sent"]}
    kind = types.pop() if len(types) == 1 and "" not in types else None
    counts = " or ".join(map(str, sorted(set(totals.values()))[:4]))
    result = {"RANK": example["rank"], "SIZE": exchange["processes"], "TYPE": kind,
              "FORTRAN_TYPE": FORTRAN_TYPES.get(kind, kind), "PYTHON_TYPE": (kind or "").removeprefix("MPI_"),
              "SEEN": f"{counts} {kind} for each neighbor" if kind else "datatypes of the program",
              "PEERS": listed(sorted(totals)[:8]) + ", ..." * (len(totals) > 8),
              "FUNCTION": exchange["function"]}
    if grid and exchange["kind"] == "grid":
        offsets = grid["offsets"]
        result.update({
            "D": len(grid["dims"]), "T": len(offsets), "MOST": len(offsets), "DIMS": listed(grid["dims"]),
            "FREE": listed(0 if extent > 1 else 1 for extent in grid["dims"]), **periods_of(grid),
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
            yield from re.sub(r"@(\w+)@", lambda found, part=part: part if name and found[1] == name[1]
                              else str(known[found[1]]), line).split("\n")
