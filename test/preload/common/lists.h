// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists for the comparing programs: written in the command's `key=value` words, computed the same on every
// process, for any process. Knows no MPI, so it can also compute the lists of another process.
#ifndef LISTS_H
#define LISTS_H

#include <stddef.h>
#include <stdint.h>

enum { most_dimensions = 6, most_offsets = 640, most_text = 4096, no_process = -1 };

// Order of the two lists of a process.
//   paper    destinations in stencil order, source i = -offset i
//   same     destinations in stencil order, sources in reverse stencil order (for a Moore stencil: equal lists)
//   sources  like paper, but every process has its own random order of sources
//   random   every process has its own random order of both
enum Order { order_paper, order_same, order_sources, order_random };

// The communicator of the ranks in the grid.
//   cart      a Cartesian communicator, the parent of the graph
//   world     MPI_COMM_WORLD
//   split     a communicator with a random permutation of the world's ranks
//   shuffled  MPI_COMM_WORLD, but the grid holds its ranks in random order: no grid explains the graph
enum Parent { parent_cart, parent_world, parent_split, parent_shuffled };

// The entry of the lists for a neighbor outside of a mesh.
enum Border { border_drop, border_null };

typedef struct {
    int dimensions;
    int dims[most_dimensions];
    int periods[most_dimensions];
    int size;
    int offsets[most_offsets][most_dimensions];
    int neighbors;
    char stencil[most_text]; // original text, for messages
    enum Order order;
    enum Parent parent;
    enum Border border;
    int missing; // out of 100 edges so many are left out, anywhere
    int extra;   // edges between any processes are added
    uint64_t seed;
} Pattern;

typedef struct {
    int sources, destinations;
    int source[most_offsets];
    int destination[most_offsets];
} Lists;

// Next value of a random sequence. Never use the modulo of the state itself.
uint64_t next_random(uint64_t* state);
int random_below(uint64_t* state, int bound);
void shuffle(uint64_t* state, int* values, int count);

// Reads a pattern, all zero before, from words like dims=3x3, for `size` processes. The caller reads duplicate= and
// counts=.
//   dims=3x3 periods=1x1            the process grid, periodic if not told otherwise
//   stencil=moore:1                 see parse_stencil
//   self=1                          the process itself is the last neighbor
//   order=paper parent=cart border=drop    see above
//   missing=5 extra=1               of 100 edges so many are left out; edges between any processes
// Returns 0 on an error.
int parse_pattern(int words, char** word, int size, Pattern* pattern);

// The numbers of a text like 3x3; returns how many there are, `most` at most.
int parse_numbers(const char* text, const char* separator, int* numbers, int most);

// The rest of the last word that begins with `name`, for example "dims="; NULL without such a word.
const char* text_behind(int words, char** word, const char* name);

// Reads "moore:R", "star:R", "box:N:F" or "list:1,0;0,-1;..." into the offsets; returns 0 on an error. The zero offset
// is part of `box`, and of `list` if it is listed.
int parse_stencil(Pattern* pattern, const char* text);

void add_offset(Pattern* pattern, const int* offset);

// The rank so far ahead (sign 1) or back (-1) of `rank`; no_process outside of a mesh.
int neighbor_of(const Pattern* pattern, int rank, const int* offset, int sign);

// The neighbor lists of `rank`.
void neighbor_lists(const Pattern* pattern, int rank, Lists* lists);

// Index of the destination of `sender` that ends in slot `slot` of `receiver`: the only edge between the two, or with
// several the k-th to the k-th (MPI 4.1, 8.6). *parallel becomes the number of these edges.
int matching_destination(const Lists* sender, int sender_rank, const Lists* receiver, int receiver_rank, int slot,
                         int* parallel);

// A random ordered factorization of `size` into the extents of the pattern's dimensions, ones included.
void random_dims(uint64_t* state, int size, Pattern* pattern);

#endif
