// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Version, counters, report on demand.
#include "include/hopscotch.h"
#include "shim/call/communicator.hpp"
#include "shim/call/registry.hpp"
#include "shim/gather/gather.hpp"
#include "shim/gather/graph_records.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/hop/hop_cartesian.hpp"
#include "shim/hop/hop_graph.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/report.hpp"

using namespace hopscotch::shim;

namespace
{

void add(Hop_Counters& sum, const GraphRecord& record)
{
    sum.setup_seconds += record.setup_seconds;
    for (const auto& [key, counters] : record.operations) {
        sum.calls += counters.calls;
        (key.algorithm == name(Algorithm::native) ? sum.native : sum.accelerated) += counters.calls;
        sum.failed += counters.failed;
        sum.bytes += counters.payload_bytes;
        sum.messages += counters.messages;
        sum.messages_trivial += counters.messages_trivial;
        sum.seconds += counters.seconds;
    }
}

/// The records of a communicator: its own, that of the neighborhood it carries, and that of its exchanges.
void add(Hop_Counters& sum, MPI_Comm comm)
{
    if (const Communicator* const record = find_communicator(comm))
        add(sum, record_of(*record));
    if (CartesianNeighborhood* const neighborhood = CommAttribute<CartesianNeighborhood>::find(comm))
        if (const Communicator* const record = neighborhood->record())
            add(sum, record_of(*record));
    if (const Communicator* const record = record_of_exchange(comm))
        add(sum, record_of(*record));
}

bool usable(const char* destinations)
{
    return parse_settings({{"HOPSCOTCH_REPORT", destinations}}).errors.empty();
}

} // namespace

const char* Hop_version(void)
{
    return HOPSCOTCH_VERSION;
}

int Hop_active(int* flag)
{
    if (flag == nullptr)
        return MPI_ERR_ARG;
    *flag = runtime().active ? 1 : 0;
    return MPI_SUCCESS;
}

int Hop_counters(MPI_Comm comm, Hop_Counters* counters)
{
    require_functions();
    if (counters == nullptr)
        return MPI_ERR_ARG;
    *counters = Hop_Counters{};
    if (comm != MPI_COMM_NULL)
        return bordered(comm, [&] { add(*counters, comm); });
    try { // before MPI has started, too
        for (const GraphRecord& record : all_records())
            add(*counters, record);
    } catch (const NoMemory&) {
        return MPI_ERR_NO_MEM;
    }
    return MPI_SUCCESS;
}

int Hop_counting(int on)
{
    set_counting(on != 0);
    return MPI_SUCCESS;
}

int Hop_report(const char* destination)
{
    return bordered(MPI_COMM_WORLD, [&] {
        demand(runtime().active, MPI_ERR_OTHER);
        const int rank = rank_in(MPI_COMM_WORLD);
        const std::string destinations = destination != nullptr ? destination : runtime().settings.report;
        const bool refused = rank == 0 && !usable(destinations.c_str());
        demand(CollectiveConsensus(MPI_COMM_WORLD).all(!refused), MPI_ERR_ARG);
        const Report report = gather_report();
        if (rank == 0)
            write_report(destinations, report);
    });
}
