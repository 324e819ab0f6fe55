// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators that one process could not make are given back by all; a graph stays as long as it fits.
#include "test/catch.hpp"

#include "shim/call/reordering.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/sparse/sparse_communicator.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

int living; // communicators made since, less those freed
int graphs_made;
MPI_Errhandler handler; // of the last communicator for a graph

/// While it lives this library is active, and functions of the MPI library may be replaced.
struct Replaced : ReplacedFunctions {
    Replaced()
    {
        type_map(MPI_INT); // the proof of the first type makes a communicator
        mutable_runtime().active = true;
    }
    ~Replaced() { mutable_runtime().active = false; }
};

/// While it lives graphs cannot be made on the last process, and all communicators are counted.
struct NoGraphs : Replaced {
    NoGraphs()
    {
        living = 0;
        next.MPI_Comm_free = [](MPI_Comm* comm) { return --living, library.MPI_Comm_free(comm); };
        next.MPI_Comm_create_group = [](MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
            return ++living, library.MPI_Comm_create_group(comm, group, tag, made);
        };
        next.MPI_Comm_split = [](MPI_Comm comm, int color, int key, MPI_Comm* made) {
            return ++living, library.MPI_Comm_split(comm, color, key, made);
        };
        next.MPI_Dist_graph_create_adjacent = [](MPI_Comm comm, int in, const int* from, const int* in_weights, int out,
                                                 const int* to, const int* out_weights, MPI_Info info, int reorder,
                                                 MPI_Comm* made) {
            MPI_Comm_get_errhandler(comm, &handler);
            const int code = library.MPI_Dist_graph_create_adjacent(comm, in, from, in_weights, out, to, out_weights,
                                                                    info, reorder, made);
            if (world().rank + 1 < world().size)
                return ++living, code;
            library.MPI_Comm_free(made);
            return int{MPI_ERR_OTHER};
        };
    }
};

/// While it lives graphs can be made, and all of them are counted.
struct CountedGraphs : Replaced {
    CountedGraphs()
    {
        graphs_made = 0;
        next.MPI_Dist_graph_create_adjacent = [](MPI_Comm comm, int in, const int* from, const int* in_weights, int out,
                                                 const int* to, const int* out_weights, MPI_Info info, int reorder,
                                                 MPI_Comm* made) {
            return ++graphs_made, library.MPI_Dist_graph_create_adjacent(comm, in, from, in_weights, out, to,
                                                                         out_weights, info, reorder, made);
        };
    }
};

/// The blocks of an int in a call of MPI_Alltoallv on a communicator with the ranks of MPI_COMM_WORLD.
class Pattern
{
  public:
    /// Each process sends to those so many ranks away.
    explicit Pattern(const std::vector<int>& distances)
        : counts_(static_cast<std::size_t>(world().size), 0), from_(counts_), places_(counts_)
    {
        for (const int distance : distances) {
            counts_[static_cast<std::size_t>((world().rank + distance) % world().size)] = 1;
            from_[static_cast<std::size_t>((world().rank + world().size - distance) % world().size)] = 1;
        }
    }

    bool agree(SparseCommunicator& known, MPI_Comm comm, Completion completion) const
    {
        return known.agree(comm, send_, receive_, completion, false);
    }
    void look(SparseCommunicator& known) const { known.look(send_, receive_); }

    /// A blocking call; true if the processes agree in it.
    bool call(SparseCommunicator& known, MPI_Comm comm) const
    {
        const bool due = known.is_due();
        if (!due && known.graph() == nullptr)
            return false;
        look(known);
        if (due)
            CHECK(agree(known, comm, Completion::blocking));
        return due;
    }

  private:
    std::vector<int> counts_;
    std::vector<int> from_;
    std::vector<int> places_;
    int buffer_[2] = {};
    BlockArguments send_{VaryingBlocks{buffer_, counts_.data(), places_.data(), MPI_INT}};
    BlockArguments receive_{VaryingBlocks{buffer_ + 1, from_.data(), places_.data(), MPI_INT}};
};

} // namespace

TEST_CASE("Counts behind those of the processes are not read")
{
    const int counts[] = {1, 0, 2, 3};
    CHECK(BlockArguments(VaryingBlocks{counts, counts, counts, MPI_INT}).filled(3) == 2);
}

TEST_CASE("A graph for MPI_Alltoallv that one process could not make is freed on all, and the calls are passed on")
{
    if (world().size < 3)
        return;
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    const Pattern ring({1});
    {
        const NoGraphs no_graphs;
        SparseCommunicator* const known = SparseCommunicator::find(comm);
        REQUIRE(known != nullptr);
        ring.look(*known);
        CHECK_FALSE(ring.agree(*known, comm, Completion::persistent));
        CHECK(known->graph() == nullptr);
        CHECK(known->graph_handle() == MPI_COMM_NULL);
        CHECK((living == 0 && handler == MPI_ERRORS_RETURN));
        const Pattern nothing({});
        nothing.look(*known);
        CHECK_FALSE(nothing.agree(*known, comm, Completion::blocking)); // as there is no graph
    }
    check(MPI_Comm_free(&comm));
}

TEST_CASE("A graph for MPI_Alltoallv stays unless calls since the last agreement have other blocks")
{
    if (world().size < 3)
        return;
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    std::vector<int> everywhere(static_cast<std::size_t>(world().size));
    std::iota(everywhere.begin(), everywhere.end(), 0);
    const Pattern ring({1});
    const Pattern back({world().size - 1});
    const Pattern dense(everywhere);
    const CountedGraphs graphs;
    SparseCommunicator* const known = SparseCommunicator::find(comm);
    REQUIRE(known != nullptr);
    for (int call = 1; call <= 8; ++call) // before the graph all blocks are others
        CHECK(ring.call(*known, comm) == (call == 2 || call == 4 || call == 8));
    CHECK(graphs_made == 1);
    CHECK_FALSE(back.call(*known, comm));
    dense.look(*known);
    CHECK_FALSE(dense.agree(*known, comm, Completion::persistent)); // only this request is agreed on
    for (int call = 10; call <= 16; ++call)
        CHECK(ring.call(*known, comm) == (call == 16));
    CHECK(graphs_made == 2);
    for (int call = 17; call <= 32; ++call)
        (call % 2 == 0 ? back : ring).call(*known, comm);
    int degrees[3] = {};
    check(MPI_Dist_graph_neighbors_count(known->graph_handle(), degrees, degrees + 1, degrees + 2));
    CHECK(degrees[1] == (world().size > 3 ? 2 : 1)); // both patterns together, if they are sparse
    check(MPI_Comm_free(&comm));
}

TEST_CASE("A communicator with other ranks that one process could not make is freed on all")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    const NoGraphs no_graphs;
    CollectiveConsensus consensus(comm.get());
    CHECK(made_again(consensus, world().rank, world().rank, MPI_INFO_NULL) == MPI_COMM_NULL);
    CHECK(living == 0);
}
