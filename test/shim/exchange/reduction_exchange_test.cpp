// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Values combined on their way are those of the sources combined at once.
#include "test/catch.hpp"

#include "shim/exchange/reduction_exchange.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

constexpr int elements = 3;

int value_of(int rank, int block, int element)
{
    return 100 * rank + 10 * block + element + 1;
}

/// The expected result of process `rank`: the sum over its sources; a repeated offset counts as often as it is
/// repeated.
std::vector<int> expected_sum(const schedules::Topology& grid, const schedules::Stencil& stencil, int rank,
                              schedules::Blocks blocks, bool& has_source)
{
    std::vector<int> sum(elements, 0);
    for (int i = 0; i < stencil.size(); ++i) {
        std::vector<int> offset(stencil.offset(i), stencil.offset(i) + stencil.dimensions());
        for (int& shift : offset)
            shift = -shift;
        const int source = plain_neighbor(grid, rank, offset);
        if (source == schedules::no_rank)
            continue;
        has_source = true;
        for (int e = 0; e < elements; ++e)
            sum[static_cast<std::size_t>(e)] += value_of(source, blocks == schedules::Blocks::common ? 0 : i, e);
    }
    return sum;
}

} // namespace

TEST_CASE("Every process gets the values of its sources combined, one for all or one for each")
{
    const TestGroup test = test_group();
    for (unsigned number = 0; number < 10; ++number) {
        std::mt19937 random(seed() + number);
        const Job job = random_job(random);
        INFO("seed " << seed() + number << ": " << describe(job));
        const schedules::Stencil stencil = job.planned_stencil();
        for (const schedules::Blocks blocks : {schedules::Blocks::common, schedules::Blocks::individual}) {
            ReductionExchange exchange(schedules::combining_reduction(job.topology, stencil, world().rank,
                                                                      schedules::reduction_order(stencil, blocks),
                                                                      blocks),
                                       test.group, test.tags.first + static_cast<int>(blocks));
            for (int call = 0; call < 2; ++call) {
                std::vector<int> sent;
                for (int i = 0; i <= stencil.size(); ++i)
                    for (int e = 0; e < elements; ++e)
                        sent.push_back(value_of(world().rank, i, e));
                std::vector<int> received(elements, -1);
                exchange.prepare(Reducing(elements, MPI_INT, MPI_SUM));
                const BlockLayout from = blocks == schedules::Blocks::common
                                             ? BlockLayout::single(sent.data(), elements, MPI_INT)
                                             : BlockLayout::regular(sent.data(), elements, MPI_INT);
                const BlockLayout to = BlockLayout::single(received.data(), elements, MPI_INT);
                exchange.begin(from, to);
                wait(exchange, true, [] {});
                CHECK(exchange.error() == MPI_SUCCESS);
                bool has_source = false;
                const std::vector<int> sum = expected_sum(job.topology, stencil, world().rank, blocks, has_source);
                CHECK(received == (has_source ? sum : std::vector<int>(elements, -1)));
            }
        }
    }
}

TEST_CASE("Values of fewer or more elements than a neighbor's are an error at both ends")
{
    const TestGroup test = test_group();
    const int size = world().size;
    const int rank = world().rank;
    const schedules::Stencil stencil(1, {1, -1});
    const schedules::Topology ring({size}, {true});
    ReductionExchange exchange(schedules::combining_reduction(
                                   ring, stencil, rank, schedules::reduction_order(stencil, schedules::Blocks::common),
                                   schedules::Blocks::common),
                               test.group, test.tags.first);
    const int own = rank == 0 ? elements - 1 : elements;
    const std::vector<int> sent(elements, 1);
    std::vector<int> received(elements, -1);
    exchange.prepare(Reducing(own, MPI_INT, MPI_SUM));
    exchange.begin(BlockLayout::single(sent.data(), own, MPI_INT), BlockLayout::single(received.data(), own, MPI_INT));
    wait(exchange, true, [] {});
    const bool meets_another = size > 1 && (rank <= 1 || rank == size - 1);
    CHECK(exchange.error() == (meets_another ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
}
