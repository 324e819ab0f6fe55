// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that ends without MPI_Finalize, and with an exit code of its own, or by MPI_Abort.
//
//   no_finalize [exit code [abort [rank that calls MPI_Abort]]]
#include "../../program.h"
#include "exchange.h"

#include <unistd.h>

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int code = argc > 1 ? atoi(argv[1]) : 0;
    int lists[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, lists, &graph);
    const int wrong = exchange_and_check(graph, 1, 3, 2, lists, 2, lists);
    const int status = judge("no_finalize", wrong);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 2 && rank == (argc > 3 ? atoi(argv[3]) : 0)) {
        usleep(200000); // launchers drop lines they have not read by then
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    if (argc > 2) {
        MPI_Barrier(MPI_COMM_WORLD); // ended from outside
    }
    // The launcher ends the others once the first is gone, and rank 0 has the report to write.
    const char* const report = getenv("HOPSCOTCH_REPORT");
    const int least = rank == 0 ? 0 : 500; // milliseconds; and so many if there is no report
    const int most = report == NULL ? least : 40 * least;
    for (int waited = 0; waited < least || (waited < most && access(report, F_OK) != 0); ++waited) {
        usleep(1000);
    }
    exit(status != 0 ? 77 : code);
}
