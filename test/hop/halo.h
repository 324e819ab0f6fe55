// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix with a halo, spread over a torus or mesh of processes, and the same computation done serially: the reference
// for the papers' listings. Every process has n x n cells; cells beyond the border of a mesh are 0.
#ifndef HOP_HALO_H
#define HOP_HALO_H

#include "check.h"

#include <stdlib.h>

enum { n = 5, steps = 4 };

struct Grid {
    int rows, columns; // processes
    int periodic;
    int row, column; // this process
};

static double initial(int i, int j)
{
    return (double)((i * 7 + j * 13) % 11) + 0.25 * i;
}

static void fill(const struct Grid* grid, double matrix[n + 2][n + 2])
{
    for (int i = 0; i < n + 2; ++i)
        for (int j = 0; j < n + 2; ++j)
            matrix[i][j] = 0;
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j)
            matrix[i][j] = initial(grid->row * n + i - 1, grid->column * n + j - 1);
}

/// One step over the own cells: the mean of the cell and its 4 or 8 neighbors.
static void update(double matrix[n + 2][n + 2], int points)
{
    double next[n + 2][n + 2];
    for (int i = 1; i <= n; ++i) {
        for (int j = 1; j <= n; ++j) {
            double sum = matrix[i][j] + matrix[i - 1][j] + matrix[i + 1][j] + matrix[i][j - 1] + matrix[i][j + 1];
            if (points == 9)
                sum += matrix[i - 1][j - 1] + matrix[i - 1][j + 1] + matrix[i + 1][j - 1] + matrix[i + 1][j + 1];
            next[i][j] = sum / points;
        }
    }
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j)
            matrix[i][j] = next[i][j];
}

/// The same steps over the whole matrix, compared with the own part of it.
static void check_against_serial(const struct Grid* grid, double matrix[n + 2][n + 2], int points)
{
    const int height = grid->rows * n, width = grid->columns * n;
    double* now = malloc((size_t)(height * width) * sizeof(double));
    double* next = malloc((size_t)(height * width) * sizeof(double));
    for (int i = 0; i < height * width; ++i)
        now[i] = initial(i / width, i % width);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < height; ++i) {
            for (int j = 0; j < width; ++j) {
                double sum = 0;
                for (int di = -1; di <= 1; ++di) {
                    for (int dj = -1; dj <= 1; ++dj) {
                        int r = i + di, c = j + dj;
                        if (points == 5 && di != 0 && dj != 0)
                            continue;
                        if (grid->periodic) {
                            r = (r + height) % height;
                            c = (c + width) % width;
                        }
                        if (r >= 0 && r < height && c >= 0 && c < width)
                            sum += now[r * width + c];
                    }
                }
                next[i * width + j] = sum / points;
            }
        }
        double* swap = now;
        now = next;
        next = swap;
    }
    for (int i = 1; i <= n; ++i) {
        for (int j = 1; j <= n; ++j) {
            const double expected = now[(grid->row * n + i - 1) * width + grid->column * n + j - 1];
            const double difference = matrix[i][j] - expected;
            CHECK(difference < 1e-9 && difference > -1e-9);
        }
    }
    free(now);
    free(next);
}

/// The 8 halo regions and their send counterparts, in the order of the papers' offset list: (0,1) (0,-1) (-1,0) (1,0)
/// (-1,1) (1,1) (1,-1) (-1,-1), first the row, then the column.
static const int moore[] = {0, 1, 0, -1, -1, 0, 1, 0, -1, 1, 1, 1, 1, -1, -1, -1};

struct Halo {
    MPI_Datatype ROW, COL, COR;
    int sendcount[8], recvcount[8];
    MPI_Aint senddisp[8], recvdisp[8];
    MPI_Datatype sendtype[8], recvtype[8];
};

static void make_halo(struct Halo* halo)
{
    MPI_Type_contiguous(n, MPI_DOUBLE, &halo->ROW);
    MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &halo->COL);
    MPI_Type_contiguous(1, MPI_DOUBLE, &halo->COR);
    MPI_Type_commit(&halo->ROW);
    MPI_Type_commit(&halo->COL);
    MPI_Type_commit(&halo->COR);
    for (int i = 0; i < 8; ++i) {
        const int di = moore[2 * i], dj = moore[2 * i + 1];
        // Sent: the own cells next to that neighbor. Received into: the halo on the opposite side, since block i comes
        // from the process at minus offset i.
        const int send_row = di > 0 ? n : 1, send_column = dj > 0 ? n : 1;
        const int recv_row = di > 0 ? 0 : di < 0 ? n + 1 : 1, recv_column = dj > 0 ? 0 : dj < 0 ? n + 1 : 1;
        halo->sendcount[i] = halo->recvcount[i] = 1;
        halo->senddisp[i] = (MPI_Aint)((send_row * (n + 2) + send_column) * (int)sizeof(double));
        halo->recvdisp[i] = (MPI_Aint)((recv_row * (n + 2) + recv_column) * (int)sizeof(double));
        halo->sendtype[i] = halo->recvtype[i] = i >= 4 ? halo->COR : di == 0 ? halo->COL : halo->ROW;
    }
}

static void free_halo(struct Halo* halo)
{
    MPI_Type_free(&halo->ROW);
    MPI_Type_free(&halo->COL);
    MPI_Type_free(&halo->COR);
}

#endif
