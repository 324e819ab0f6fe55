/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Cartesian naming: coordinates for the processes of any communicator, and neighborhoods computed from them.
 * Source: J. L. Träff, S. Hunold, G. Mercier, D. J. Holmes, "Collectives and Communicators: A Case for Orthogonality",
 * EuroMPI 2020, in the extended version; listings are that paper's. Included by <hopscotch.h>, which has the rules for
 * all functions.
 *
 * A name belongs to one communicator: it is not inherited by duplicates or parts, it is freed with the communicator. A
 * communicator of MPI_Cart_create is named from the start, after its own grid, row-major; Hop_Cart_name gives it
 * another name. Ranks from the size of the grid on have no name. A grid may have more points than there are processes
 * (section 3.1): the points from that number on have no process, and are beyond a border for all functions.
 * Shapes: d dimensions; coordinates and offsets ("relative") are d ints, lists of n of them n*d ints, one after the
 * other.
 * Errors of all: MPI_ERR_COMM for a communicator without name, except from Hop_Cart_name(_permuted), Hop_Cart_test(all)
 * and Hop_Comm_is_cartesian; MPI_ERR_ARG for null pointers.
 */
#ifndef HOPSCOTCH_NAMING_H
#define HOPSCOTCH_NAMING_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Orders of ranks: the last coordinate varies fastest (C, as in MPI_Cart_create), or the first (Fortran). */
#define HOP_ROWMAJOR MPI_ORDER_C
#define HOP_COLMAJOR MPI_ORDER_FORTRAN
/** Any other order of dimensions; only Hop_Cart_get gives it. */
#define HOP_PERMUTED (-1)

/** Distances of an offset: the sum of the absolute shifts, or their maximum. */
#define HOP_MANHATTAN_DISTANCE 1
#define HOP_CHEBYCHEV_DISTANCE 2

/** Names the processes of comm after the points of a grid (Listing 3). An earlier name is replaced. The processes
 * should all give the same name; Hop_Cart_testall tells if they did. *size: number of points, always set except for
 * wrong sizes. Shape: order and period d, the sizes and their periods. Errors: MPI_ERR_DIMS for d < 1, a size < 1, more
 * points than an int counts, or an invalid dimorder. Local. */
int Hop_Cart_name(MPI_Comm comm, int d, int dimorder, const int order[], const int period[], int* size);

/** Hop_Cart_name with the dimensions in any order (section 3.1): permutation[0] is the one with the slowest varying
 * coordinate, permutation[d-1] the one with the fastest, so 0 ... d-1 is HOP_ROWMAJOR and d-1 ... 0 HOP_COLMAJOR.
 * Coordinates, sizes, periods and offsets stay in the order of the dimensions. Shape: permutation, order and period d.
 * Errors: MPI_ERR_DIMS as from Hop_Cart_name, and if it is no permutation of 0 ... d-1. Local. */
int Hop_Cart_name_permuted(MPI_Comm comm, int d, const int permutation[], const int order[], const int period[],
                           int* size);

/** Tells if comm is named: *flag; *d and *size are those of its grid, or -1 (Listing 3). Local. */
int Hop_Cart_test(MPI_Comm comm, int* flag, int* d, int* size);

/** Tells if all processes have given comm the same name, order of dimensions included: *flag is the same everywhere; *d
 * and *size are those of the grid, or -1. Errors: MPI_ERR_TOPOLOGY if they have not. Collective: over comm. */
int Hop_Cart_testall(MPI_Comm comm, int* flag, int* d, int* size);

/** The name of a communicator (Listing 3): *dimorder is HOP_ROWMAJOR, HOP_COLMAJOR or HOP_PERMUTED. Shape: the first
 * min(maxd, d) entries of order and period are written. Errors: MPI_ERR_ARG for maxd < 0. Local. */
int Hop_Cart_get(MPI_Comm comm, int* dimorder, int maxd, int order[], int period[]);

/** The order of the dimensions, for any *dimorder of Hop_Cart_get, in the form for Hop_Cart_name_permuted. Shape: the
 * first min(maxd, d) entries of permutation are written. Errors: MPI_ERR_ARG for maxd < 0. Local. */
int Hop_Cart_get_permutation(MPI_Comm comm, int maxd, int permutation[]);

/** The rank at coordinates, taken modulo the size in periodic dimensions (Listing 4). Shape: coordinates d. Errors:
 * MPI_ERR_DIMS beyond a border; *rank is then MPI_PROC_NULL. Local. */
int Hop_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank);

/** The coordinates of a rank (Listing 4). Shape: coordinates d. Errors: MPI_ERR_RANK for a rank without name;
 * coordinates stay untouched. Local. */
int Hop_Cart_coordinates(MPI_Comm comm, int rank, int coordinates[]);

/** The rank at an offset from a rank of a named communicator (Listing 4, there Cart_relative_rank). MPI_PROC_NULL
 * beyond a border and for a source without name. Shape: relative d. Errors: MPI_ERR_RANK for a source that is no
 * rank of comm. Local. */
int Hop_Cart_relative_rank_from(MPI_Comm comm, int source, const int relative[], int* rank);

/** The coordinates of one rank minus those of another in a named communicator; not taken modulo anything (Listing 4).
 * Shape: relative d. Errors: MPI_ERR_RANK for ranks without name. Local. */
int Hop_Cart_relative_coordinates(MPI_Comm comm, int source, int dest, int relative[]);

/** The ranks at -relative (*inrank) and +relative (*outrank) from a rank of a named communicator (Listing 4, there
 * Cart_relative_shift). MPI_PROC_NULL beyond a border and for a rank without name. Shape: relative d. Errors:
 * MPI_ERR_RANK for a rank that comm does not have. Local. */
int Hop_Cart_relative_shift_from(MPI_Comm comm, int rank, const int relative[], int* inrank, int* outrank);

/** The ranks at n coordinates (Listing 4); MPI_PROC_NULL beyond borders. Shape: coordinates n*d, ranks n. Errors:
 * MPI_ERR_ARG for n < 0. Local. */
int Hop_Cart_allranks(MPI_Comm comm, int n, const int coordinates[], int ranks[]);

/** The ranks at n offsets from a rank (Listing 4); MPI_PROC_NULL beyond borders. Shape: relatives n*d, ranks n.
 * Errors: MPI_ERR_RANK for a source that is no rank of comm; MPI_ERR_ARG for n < 0. Local. */
int Hop_Cart_allranks_relative(MPI_Comm comm, int source, int n, const int relatives[], int ranks[]);

/** Divides a named communicator (Listing 5): processes that agree in the coordinates of the dropped dimensions
 * (dimension[k] = 0) get a communicator, without name, in the order of their ranks. Processes without name get
 * MPI_COMM_NULL. Shape: dimension d. Collective: over comm; all its processes have given it the same name. */
int Hop_Cart_create_sub(MPI_Comm comm, const int dimension[], MPI_Comm* subcart);

/** Number of offsets at a distance of at least `shadow` and at most `depth` that lead from a rank of a named
 * communicator to a process: those that cross a border are left out (Listing 6). shadow <= 0 includes the process
 * itself; shadow > depth gives 0, and so does a rank without name. Errors: MPI_ERR_ARG for a metric that is none or
 * depth < 0; MPI_ERR_RANK for a rank that comm does not have. Local. */
int Hop_Cart_neighbors_count(MPI_Comm comm, int rank, int metric, int shadow, int depth, int* size);

/** The offsets that Hop_Cart_neighbors_count counts, the first maxsize of them (Listing 6). Different offsets of a
 * small torus may lead to one process. Order: Manhattan by distance, then by the axis of the larger shift, negative
 * before positive: for d = 2 and depth 1 (0,0) (-1,0) (1,0) (0,-1) (0,1). Chebychev: the first shift varies fastest:
 * (-1,-1) (0,-1) (1,-1) (-1,0) ... Shape: neighbors maxsize*d. Errors: MPI_ERR_ARG for an invalid metric, depth < 0 or
 * maxsize < 0; MPI_ERR_RANK for a rank that comm does not have. Local. */
int Hop_Cart_neighbors(MPI_Comm comm, int rank, int metric, int shadow, int depth, int maxsize, int neighbors[]);

/** The processes at the offsets of Hop_Cart_neighbors, as ranks, like the 2020 library's published TUW_Cart_neighbors.
 * Shape: neighbors maxsize. Errors: MPI_ERR_ARG for an invalid metric, depth < 0 or maxsize < 0; MPI_ERR_RANK for a
 * rank that comm does not have. Local. */
int Hop_Cart_neighbors_ranks(MPI_Comm comm, int rank, int metric, int shadow, int depth, int maxsize, int neighbors[]);

/** Number of all offsets up to a distance, the zero offset included, borders disregarded: (2*depth+1)^d for Chebychev;
 * for Manhattan the whole ball (13 for d = 2, depth 2; the published library counts its 9 axis-parallel ones). Errors:
 * MPI_ERR_ARG for an invalid metric, depth < 0, or more than an int counts. Local. */
int Hop_Cart_stencil_count(MPI_Comm comm, int metric, int depth, int* size);

/** The offsets that Hop_Cart_stencil_count counts, in the order of Hop_Cart_neighbors, the first maxsize of them.
 * Shape: coordinates maxsize*d. Errors: MPI_ERR_ARG for an invalid metric, depth < 0 or maxsize < 0. Local. */
int Hop_Cart_stencil(MPI_Comm comm, int metric, int depth, int maxsize, int coordinates[]);

/** The offsets of list 0 that are not in list 1, in order; *n counts them. `coordinates` may be list 0 itself. Shape:
 * coordinates0 n0*d, coordinates1 n1*d, coordinates room for n0*d. Errors: MPI_ERR_ARG for n0 < 0 or n1 < 0. Local.
 */
int Hop_Cart_stencil_diff(MPI_Comm comm, int n0, const int coordinates0[], int n1, const int coordinates1[], int* n,
                          int coordinates[]);

/** Tells if the neighborhoods of a graph communicator are Cartesian in the grid that comm is named after (section 3.2):
 * if one list of offsets, as a set with multiplicity, describes the targets of all processes, and the sources too. In
 * dimensions that are not periodic the offsets beyond a border are left out. Then processes without name have no
 * neighbors and are no neighbors of others. *flag is the same on all processes; 0 if comm has no name common to all of
 * them, or points without process, or cart has no topology or other processes. Errors: MPI_ERR_COMM for null
 * communicators. Collective: over cart; comm and cart have the same processes. */
int Hop_Comm_is_cartesian(MPI_Comm comm, MPI_Comm cart, int* flag);

#ifdef __cplusplus
}
#endif

#endif
