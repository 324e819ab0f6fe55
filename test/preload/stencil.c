// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The demonstration: an ordinary MPI stencil code, 2-D 9-point or 3-D 27-point, that exchanges its halo with
// neighborhood collectives. It knows nothing of Hopscotch.
//
//   mpiexec -n 8 stencil [-d 2|3] [-n cells per side and process] [-i iterations] [-c]
//
// Cells are unsigned integers and every update is a weighted sum modulo 2^32, so a run has exactly one right answer.
// -c lets rank 0 repeat the whole computation alone and compare.
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_dimensions = 3, most_neighbors = 26 };

typedef struct {
    int dimensions;
    int side; // interior cells per dimension and process
    int dims[most_dimensions];
    int coordinates[most_dimensions];
    int neighbors;
    int offsets[most_neighbors][most_dimensions];
    int ranks[most_neighbors];
    MPI_Comm graph;
    int block; // cells in one halo block: room for the largest, a face, and the number of its direction
} Domain;

static size_t power(int base, int exponent)
{
    size_t value = 1;
    for (int i = 0; i < exponent; ++i) {
        value *= (size_t)base;
    }
    return value;
}

static void* allocate(size_t count, size_t size)
{
    void* memory = calloc(count, size);
    if (memory == NULL) {
        fputs("stencil: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void build_domain(Domain* domain)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, domain->dimensions, domain->dims);
    const int periods[most_dimensions] = {1, 1, 1};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, domain->dimensions, domain->dims, periods, 0, &grid);
    int rank;
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, domain->dimensions, domain->coordinates);

    const int points = (int)power(3, domain->dimensions);
    for (int point = 0; point < points; ++point) {
        if (point == points / 2) {
            continue; // the process itself
        }
        int* offset = domain->offsets[domain->neighbors];
        int position[most_dimensions];
        for (int k = domain->dimensions - 1, rest = point; k >= 0; --k, rest /= 3) {
            offset[k] = rest % 3 - 1;
            position[k] = domain->coordinates[k] + offset[k];
        }
        MPI_Cart_rank(grid, position, &domain->ranks[domain->neighbors]);
        ++domain->neighbors;
    }
    MPI_Dist_graph_create_adjacent(grid, domain->neighbors, domain->ranks, MPI_UNWEIGHTED, domain->neighbors,
                                   domain->ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &domain->graph);
    MPI_Comm_free(&grid);
    domain->block = 1 + (int)power(domain->side, domain->dimensions - 1);
}

// Walks the cells that face a neighbor: the outermost layer of the interior (to be sent), or the halo (received).
// Copies between them and a block; returns the number of cells.
static int copy_layer(const Domain* domain, uint32_t* cells, const int* offset, int halo, uint32_t* block)
{
    const int width = domain->side + 2;
    int first[most_dimensions] = {0, 0, 0};
    int last[most_dimensions] = {0, 0, 0};
    for (int k = 0; k < domain->dimensions; ++k) {
        first[k] = 1;
        last[k] = domain->side;
        if (offset[k] != 0) {
            const int inside = offset[k] < 0 ? 1 : domain->side;
            first[k] = last[k] = halo ? inside + offset[k] : inside;
        }
    }
    int count = 0;
    for (int x = first[0]; x <= last[0]; ++x) {
        for (int y = first[1]; y <= last[1]; ++y) {
            for (int z = first[2]; z <= last[2]; ++z) {
                const size_t row = (size_t)x * (size_t)width + (size_t)y;
                const size_t index = domain->dimensions == 3 ? row * (size_t)width + (size_t)z : row;
                if (halo) {
                    cells[index] = block[count++];
                } else {
                    block[count++] = cells[index];
                }
            }
        }
    }
    return count;
}

// In a dimension of one or two processes several blocks come from one process, and MPI libraries disagree about their
// order. So every block has its direction in its first cell.
static void exchange_halo(const Domain* domain, uint32_t* cells, uint32_t* out, uint32_t* in)
{
    const size_t block = (size_t)domain->block;
    for (int i = 0; i < domain->neighbors; ++i) {
        out[(size_t)i * block] = (uint32_t)i;
        copy_layer(domain, cells, domain->offsets[i], 0, out + (size_t)i * block + 1);
    }
    MPI_Neighbor_alltoall(out, domain->block, MPI_UINT32_T, in, domain->block, MPI_UINT32_T, domain->graph);
    for (int i = 0; i < domain->neighbors; ++i) {
        // A block that travelled by N comes from the side -N, and offset t-1-i is the negative of offset i.
        const int direction = (int)in[(size_t)i * block];
        copy_layer(domain, cells, domain->offsets[domain->neighbors - 1 - direction], 1, in + (size_t)i * block + 1);
    }
}

static uint32_t weighted_sum(const uint32_t* cell, const ptrdiff_t* steps, int points)
{
    uint32_t sum = 0;
    for (int i = 0; i < points; ++i) {
        sum += (uint32_t)(2 * i + 1) * cell[steps[i]];
    }
    return sum ^ (sum >> 7);
}

// One sweep over the interior of a field with a halo of one cell; dims are its interior sizes.
static uint32_t sweep(int dimensions, const int* dims, const uint32_t* from, uint32_t* to)
{
    ptrdiff_t steps[most_neighbors + 1];
    const ptrdiff_t pitch = dims[1] + 2;
    const ptrdiff_t depth = dimensions == 3 ? dims[2] + 2 : 1;
    int points = 0;
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = dimensions == 3 ? -1 : 0; z <= (dimensions == 3 ? 1 : 0); ++z) {
                steps[points++] = (x * pitch + y) * depth + z;
            }
        }
    }
    uint32_t residual = 0;
    for (ptrdiff_t x = 1; x <= dims[0]; ++x) {
        for (ptrdiff_t y = 1; y <= dims[1]; ++y) {
            for (ptrdiff_t z = dimensions == 3 ? 1 : 0; z <= (dimensions == 3 ? dims[2] : 0); ++z) {
                const ptrdiff_t index = (x * pitch + y) * depth + z;
                to[index] = weighted_sum(from + index, steps, points);
                residual += to[index] ^ from[index];
            }
        }
    }
    return residual;
}

static uint32_t initial(const int* position)
{
    uint32_t value = 2166136261u;
    for (int k = 0; k < most_dimensions; ++k) {
        value = (value ^ (uint32_t)position[k]) * 16777619u;
    }
    return value;
}

// Applies `visit` to every interior cell: its index in the field and its place in the whole domain.
typedef void (*Visit)(uint32_t* cell, const int* position, uint64_t* sum);

static void each_cell(int dimensions, const int* dims, const int* origin, uint32_t* cells, Visit visit, uint64_t* sum)
{
    const int depth = dimensions == 3 ? dims[2] : 1;
    for (int x = 0; x < dims[0]; ++x) {
        for (int y = 0; y < dims[1]; ++y) {
            for (int z = 0; z < depth; ++z) {
                const int position[most_dimensions] = {origin[0] + x, origin[1] + y, origin[2] + z};
                const size_t row = (size_t)(x + 1) * (size_t)(dims[1] + 2) + (size_t)(y + 1);
                const size_t index = dimensions == 3 ? row * (size_t)(depth + 2) + (size_t)(z + 1) : row;
                visit(cells + index, position, sum);
            }
        }
    }
}

static void set_cell(uint32_t* cell, const int* position, uint64_t* sum)
{
    (void)sum;
    *cell = initial(position);
}

// Depends on the place of each value, not only on the set of values.
static void add_cell(uint32_t* cell, const int* position, uint64_t* sum)
{
    *sum += (uint64_t)*cell * (2 * (uint64_t)initial(position) + 1);
}

static uint64_t alone(const Domain* domain, int iterations)
{
    int dims[most_dimensions] = {0, 0, 0};
    const int origin[most_dimensions] = {0, 0, 0};
    size_t cells = 1;
    for (int k = 0; k < domain->dimensions; ++k) {
        dims[k] = domain->dims[k] * domain->side;
        cells *= (size_t)dims[k] + 2;
    }
    uint32_t* from = allocate(cells, sizeof *from);
    uint32_t* to = allocate(cells, sizeof *to);
    each_cell(domain->dimensions, dims, origin, from, set_cell, NULL);
    const size_t depth = domain->dimensions == 3 ? (size_t)dims[2] + 2 : 1;
    const size_t pitch = (size_t)dims[1] + 2;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (size_t x = 0; x < (size_t)dims[0] + 2; ++x) {
            for (size_t y = 0; y < pitch; ++y) {
                for (size_t z = 0; z < depth; ++z) {
                    const size_t px = x == 0 ? (size_t)dims[0] : x > (size_t)dims[0] ? 1 : x;
                    const size_t py = y == 0 ? (size_t)dims[1] : y > (size_t)dims[1] ? 1 : y;
                    const size_t pz = domain->dimensions == 2 ? 0 : z == 0 ? depth - 2 : z > depth - 2 ? 1 : z;
                    from[(x * pitch + y) * depth + z] = from[(px * pitch + py) * depth + pz];
                }
            }
        }
        sweep(domain->dimensions, dims, from, to);
        uint32_t* swap = from;
        from = to;
        to = swap;
    }
    uint64_t sum = 0;
    each_cell(domain->dimensions, dims, origin, from, add_cell, &sum);
    free(from);
    free(to);
    return sum;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    Domain domain = {.dimensions = 3, .side = 4};
    int iterations = 100;
    int check = 0;
    int option;
    while ((option = getopt(argc, argv, "d:n:i:c")) != -1) {
        switch (option) {
        case 'd':
            domain.dimensions = atoi(optarg);
            break;
        case 'n':
            domain.side = atoi(optarg);
            break;
        case 'i':
            iterations = atoi(optarg);
            break;
        case 'c':
            check = 1;
            break;
        default:
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    if (domain.dimensions < 2 || domain.dimensions > 3 || domain.side < 1 || iterations < 0) {
        fputs("usage: stencil [-d 2|3] [-n cells per side] [-i iterations] [-c]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    build_domain(&domain);

    const size_t cells = power(domain.side + 2, domain.dimensions);
    const size_t halo = (size_t)domain.neighbors * (size_t)domain.block;
    uint32_t* from = allocate(cells, sizeof *from);
    uint32_t* to = allocate(cells, sizeof *to);
    uint32_t* out = allocate(halo, sizeof *out);
    uint32_t* in = allocate(halo, sizeof *in);
    uint32_t residuals[most_neighbors];

    int origin[most_dimensions] = {0, 0, 0};
    int dims[most_dimensions] = {0, 0, 0};
    for (int k = 0; k < domain.dimensions; ++k) {
        origin[k] = domain.coordinates[k] * domain.side;
        dims[k] = domain.side;
    }
    each_cell(domain.dimensions, dims, origin, from, set_cell, NULL);

    uint64_t sums[2] = {0, 0}; // sums of the cells, of the neighbors' residuals
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int iteration = 0; iteration < iterations; ++iteration) {
        exchange_halo(&domain, from, out, in);
        const uint32_t residual = sweep(domain.dimensions, dims, from, to);
        MPI_Neighbor_allgather(&residual, 1, MPI_UINT32_T, residuals, 1, MPI_UINT32_T, domain.graph);
        for (int i = 0; i < domain.neighbors; ++i) {
            sums[1] += (uint64_t)(i + 1) * residuals[i];
        }
        uint32_t* swap = from;
        from = to;
        to = swap;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double elapsed_seconds = MPI_Wtime() - start;

    each_cell(domain.dimensions, dims, origin, from, add_cell, &sums[0]);
    uint64_t totals[2] = {0, 0};
    MPI_Reduce(sums, totals, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = 0;
    if (rank == 0) {
        printf("stencil: %d-D, process grid", domain.dimensions);
        for (int k = 0; k < domain.dimensions; ++k) {
            printf("%s%d", k == 0 ? " " : "x", domain.dims[k]);
        }
        printf(", %d neighbors, %zu bytes to each, %d iterations\n", domain.neighbors,
               (size_t)domain.block * sizeof *out, iterations);
        printf("checksum: %016llx %016llx\n", (unsigned long long)totals[0], (unsigned long long)totals[1]);
        if (check) {
            status = alone(&domain, iterations) == totals[0] ? 0 : 1;
            printf("check: %s\n", status == 0 ? "equal to one process alone" : "DIFFERENT from one process alone");
        }
        printf("time: %.6f s, %.3f us per iteration\n", elapsed_seconds,
               iterations > 0 ? 1e6 * elapsed_seconds / iterations : 0.0);
    }
    free(from);
    free(to);
    free(out);
    free(in);
    MPI_Comm_free(&domain.graph);
    MPI_Finalize();
    return status;
}
