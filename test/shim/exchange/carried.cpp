// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries random calls over random process grids by one algorithm, and compares every byte, gaps included, with the
// expected data.
#include "test/shim/exchange/carried.hpp"

#include "schedules/memory/room.hpp"
#include "shim/graph/aggregation.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/catch.hpp"
#include "test/shim/graph/detected.hpp"

#include <climits>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// The number of a receive slot's block among those that its sender sends.
int remote_position(const Job& job, int rank, std::size_t slot)
{
    const Label label = promised(job, TestedOperation::alltoall, rank, slot);
    if (label.origin == schedules::no_rank)
        return 0;
    const auto sender = static_cast<std::size_t>(label.origin);
    return schedules::positions(job.edges[sender].destinations)[static_cast<std::size_t>(label.slot)];
}

std::shared_ptr<Graph> graph_of(const Job& job)
{
    auto graph = std::make_shared<Graph>();
    graph->ranks = world().size;
    graph->edges = job.edges[static_cast<std::size_t>(world().rank)];
    graph->out_degree_min = graph->in_degree_min = INT_MAX;
    for (const schedules::Edges& edges : job.edges) {
        const auto neighbors = [](const std::vector<int>& ranks) {
            return static_cast<int>(ranks.size()) - schedules::count_of(ranks, schedules::no_rank);
        };
        const int out = neighbors(edges.destinations);
        const int in = neighbors(edges.sources);
        graph->out_degree_max = std::max(graph->out_degree_max, out);
        graph->out_degree_min = std::min(graph->out_degree_min, out);
        graph->in_degree_max = std::max(graph->in_degree_max, in);
        graph->in_degree_min = std::min(graph->in_degree_min, in);
        graph->parallel_edges = graph->parallel_edges || schedules::has_repeats(edges.destinations);
    }
    for (std::size_t slot = 0; slot < graph->edges.sources.size(); ++slot)
        graph->remote_positions.push_back(remote_position(job, world().rank, slot));
    graph->topology = job.topology;
    graph->stencil = job.planned_stencil();
    return graph;
}

/// The messages that this process has really sent.
SentMessages given_to_library;

/// While it lives, all messages are counted.
struct CountedSends {
    const decltype(next.MPI_Isend) library = next.MPI_Isend;

    CountedSends()
    {
        given_to_library = {};
        static decltype(next.MPI_Isend) send;
        send = library;
        next.MPI_Isend = [](const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                            MPI_Request* request) {
            int size = 0;
            MPI_Type_size(type, &size);
            given_to_library.add({1, static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size), 0, 0});
            return send(from, count, type, to, tag, comm, request);
        };
    }
    ~CountedSends() { next.MPI_Isend = library; }
    CountedSends(const CountedSends&) = delete;
    CountedSends& operator=(const CountedSends&) = delete;
};

constexpr char gap = '\x5a';

/// Byte of a block that its sender and its place there say, and the call.
char content(int origin, int slot, int call, std::size_t i)
{
    return static_cast<char>(origin * 31 + slot * 7 + call * 3 + static_cast<int>(i));
}

/// Two ints of three: the third is a gap.
MPI_Datatype columns_type()
{
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(2, MPI_INT, &pair));
    check(MPI_Type_create_resized(pair, 0, 3 * sizeof(int), &type));
    check(next.MPI_Type_commit(&type));
    check(next.MPI_Type_free(&pair));
    return type;
}

/// Elements of a type and their blocks in one buffer, with gaps before, between and behind them.
struct Buffer {
    std::vector<char> bytes;
    std::vector<int> counts;
    std::vector<int> displacements; // in elements

    Buffer(const std::vector<int>& elements, std::size_t extent, bool in_any_order)
        : counts(elements), displacements(elements.size())
    {
        int end = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const std::size_t i = in_any_order ? counts.size() - 1 - k : k;
            end += in_any_order ? 1 : 0;
            displacements[i] = end;
            end += counts[i];
        }
        bytes.assign((static_cast<std::size_t>(end) + 1) * extent, gap);
    }
};

} // namespace

/// One call, as all processes know it.
struct CarriedJob::Call {
    Collective collective = Collective::alltoall;
    ElementLayout elements = ElementLayout::ints;
    int number = 0;
    unsigned sizes = 0; // for varying blocks: their sizes are made from it
    int count = 0;      // elements of each block, or their maximum
    int surplus = 0;    // elements in each block that process 0 wrongly expects in addition, or less than none

    /// Elements of the block in a process's send slot.
    int elements_of(int origin, int slot) const
    {
        if (collective == Collective::alltoall || collective == Collective::allgather)
            return count;
        const bool gathers = collective == Collective::allgatherv;
        return static_cast<int>(
            (sizes + 17u * static_cast<unsigned>(origin) + (gathers ? 0u : 5u * static_cast<unsigned>(slot))) %
            static_cast<unsigned>(count + 1));
    }
};

CarriedJob::CarriedJob(std::mt19937& random)
    : job_(random_job(random)), group_(test_group()), graph_(graph_of(job_)), detected_(detected_as(graph_, group_)),
      pool_(MPI_COMM_WORLD, detected_)
{
    const ProcessGroup& group = *group_.group;
    const Ground ground{group, MPI_COMM_WORLD, group_.tags.set_up()};
    if (group.nodes() == group.size())
        return;
    const std::vector<std::size_t> rooms(
        schedules::first_nonblocking_stream + schedules::nonblocking_streams,
        schedules::room_for(group.most_on_node(), graph_->out_degree_max, schedules::room_of_calls));
    const Segment::Made made = Segment::create(ground, rooms);
    REQUIRE(made.refusal == Refusal::none);
    detected_.segment = made.segment;
    if (group.nodes() > 1) {
        graph_->node_neighborhood = learn_node_neighborhood(ground, *graph_);
        detected_.staging = StagingBuffers::create(ground, graph_->node_neighborhood->most_blocks,
                                                   graph_->node_neighborhood->most_messages);
    }
}

std::string CarriedJob::fault_of(Call& call, const Choice& choice)
{
    const bool gathers = call.collective == Collective::allgather || call.collective == Collective::allgatherv;
    const bool regular = call.collective == Collective::alltoall || call.collective == Collective::allgather;
    const bool columns = call.elements == ElementLayout::columns;
    const MPI_Datatype type = columns ? columns_type() : MPI_INT;
    const std::size_t extent = (columns ? 3 : 1) * sizeof(int);
    const std::size_t size = (columns ? 2 : 1) * sizeof(int);
    const auto each_byte = [&](Buffer& buffer, std::size_t block, auto&& act) {
        for (std::size_t e = 0; e < static_cast<std::size_t>(buffer.counts[block]); ++e)
            for (std::size_t i = 0; i < size; ++i)
                act(buffer.bytes[(static_cast<std::size_t>(buffer.displacements[block]) + e) * extent + i],
                    e * size + i);
    };
    const int rank = world().rank;
    const schedules::Edges& edges = graph_->edges;
    std::vector<int> sent;
    for (std::size_t i = 0; i < (gathers ? 1 : edges.destinations.size()); ++i)
        sent.push_back(call.elements_of(rank, static_cast<int>(i)));
    Buffer send(sent, extent, !regular && !gathers);
    for (std::size_t i = 0; i < sent.size(); ++i)
        each_byte(send, i,
                  [&](char& byte, std::size_t at) { byte = content(rank, static_cast<int>(i), call.number, at); });
    std::vector<Label> labels;
    std::vector<int> wanted;
    for (std::size_t j = 0; j < edges.sources.size(); ++j) {
        labels.push_back(promised(job_, gathers ? TestedOperation::allgather : TestedOperation::alltoall, rank, j));
        const bool comes = labels[j].origin != schedules::no_rank;
        const int surplus = rank == 0 ? call.surplus : 0;
        const int right = comes || regular ? call.elements_of(labels[j].origin, labels[j].slot) : 1;
        wanted.push_back(std::max(0, right + surplus));
    }
    Buffer receive(wanted, extent, !regular);
    Buffer expected = receive;
    for (std::size_t j = 0; j < labels.size(); ++j)
        if (labels[j].origin != schedules::no_rank)
            each_byte(expected, j, [&](char& byte, std::size_t at) {
                byte = content(labels[j].origin, labels[j].slot, call.number, at);
            });

    const auto layout = [&](Buffer& buffer, int count, bool one) {
        if (one)
            return BlockLayout::single(buffer.bytes.data(), buffer.counts[0], type);
        return regular ? BlockLayout::regular(buffer.bytes.data(), count, type)
                       : BlockLayout::varying(buffer.bytes.data(), buffer.counts.data(), buffer.displacements.data(),
                                              type, buffer.counts.size());
    };
    const int surplus = rank == 0 ? call.surplus : 0;
    const BlockLayout from = layout(send, call.count, gathers);
    const BlockLayout to = layout(receive, call.count + surplus, false);
    Exchange& exchange = pool_.blocking(call.collective, choice);
    if (exchange.forwards() && !schedules::forwards(choice.algorithm))
        return "blocks are forwarded by an algorithm that forwards none";
    const CountedSends counted;
    exchange.begin(from, to);
    wait(exchange, true, [] {});
    if (columns) {
        MPI_Datatype freed = type;
        check(next.MPI_Type_free(&freed));
    }
    if (call.surplus != 0)
        return rank != 0 || exchange.error() == MPI_ERR_TRUNCATE || receive.bytes == expected.bytes
                   ? ""
                   : "blocks of wrong sizes are not noticed";
    if (exchange.error() != MPI_SUCCESS)
        return "call " + std::to_string(call.number) + " fails with error " + std::to_string(exchange.error());
    if (receive.bytes != expected.bytes)
        return "call " + std::to_string(call.number) + " delivers wrong bytes";
    if (exchange.sent().messages != given_to_library.messages || exchange.sent().bytes != given_to_library.bytes)
        return "call " + std::to_string(call.number) + " counts other messages than it sends";
    std::uint64_t payload = 0;
    for (std::size_t i = 0; i < edges.destinations.size(); ++i)
        if (edges.destinations[i] != schedules::no_rank && edges.destinations[i] != rank)
            payload += static_cast<std::uint64_t>(sent[gathers ? 0 : i]) * size;
    const bool is_merged = choice.algorithm == Algorithm::merged && !gathers; // else parallel edges share a block
    const bool by_node = choice.algorithm == Algorithm::aggregated || choice.algorithm == Algorithm::shared;
    std::int64_t more = static_cast<std::int64_t>(exchange.sent().payload_bytes) - static_cast<std::int64_t>(payload);
    if (by_node && !one_node() && !gathers) // some send blocks of others
        more = CollectiveConsensus(MPI_COMM_WORLD).sum(more);
    if ((choice.algorithm == Algorithm::trivial || is_merged || (by_node && (one_node() || !gathers))) &&
        (more != 0 || exchange.sent().saved_bytes != 0))
        return "call " + std::to_string(call.number) + " counts other blocks than it sends";
    return {};
}

std::string CarriedJob::fault(Collective collective, const Choice& choice, std::mt19937& random)
{
    Call call;
    call.collective = collective;
    std::string first;
    for (call.number = 0; call.number < 12; ++call.number) {
        constexpr int counts[] = {300, 0, 1, 7, 40, 2500};
        call.count = counts[random() % 6];
        call.sizes = static_cast<unsigned>(random());
        call.elements = random() % 3 == 0 ? ElementLayout::columns : ElementLayout::ints;
        const std::string found = fault_of(call, choice);
        if (first.empty())
            first = found;
    }
    return first;
}

std::string CarriedJob::fault_of_wrong_size(Collective collective, const Choice& choice)
{
    Call call;
    call.collective = collective;
    call.count = 3;
    std::string first;
    for (const int surplus : {1, -1, 0}) {
        call.surplus = surplus;
        for (int again = 0; again < 4; ++again, ++call.number, ++call.sizes) {
            const std::string found = fault_of(call, choice);
            if (first.empty())
                first = found;
        }
        check(MPI_Barrier(MPI_COMM_WORLD)); // a right call fails, too, if a wrong one before has cut its message off
    }
    return first;
}

void carry(Algorithm algorithm, const std::vector<Collective>& collectives, unsigned jobs)
{
    for (unsigned number = 0; number < jobs; ++number) {
        std::mt19937 random(seed() + number);
        CarriedJob job(random);
        if ((algorithm == Algorithm::shared && !job.has_memory()) ||
            (algorithm == Algorithm::aggregated && !job.has_staging()))
            continue;
        Choice choice;
        choice.algorithm = algorithm;
        if (random() % 3 == 0)
            choice.cutoff_bytes = 64;
        INFO("seed " << seed() + number << ": " << job.description());
        for (const Collective collective : collectives) {
            INFO("collective " << static_cast<int>(collective));
            CHECK(job.fault(collective, choice, random) == "");
        }
    }
}
