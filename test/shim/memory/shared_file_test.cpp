// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The processes of a node see each other's bytes in one file, or all learn that there is none.
#include "test/catch.hpp"

#include "shim/memory/segment.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <mpi.h>

using namespace hopscotch::shim;

namespace
{

/// The number of open descriptors, that of the directory included.
std::ptrdiff_t open_descriptors()
{
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

} // namespace

TEST_CASE("The other processes of a node read the data that one writes")
{
    const TestGroup test = test_group();
    const ProcessGroup& group = *test.group;
    const std::size_t own_bytes = 5000;
    const auto own = static_cast<std::size_t>(group.node_index(group.rank())) * own_bytes;
    const std::ptrdiff_t descriptors = open_descriptors();
    const MemoryFile file = share_file({group, MPI_COMM_WORLD, test.tags.set_up()},
                                       group.node_ranks().size() * own_bytes, {{own, own_bytes}});
    REQUIRE(file.refusal() == Refusal::none);
    CHECK(open_descriptors() == descriptors);
    for (std::size_t i = 0; i < own_bytes; ++i)
        file.base()[own + i] = static_cast<char>(world().rank + 1);
    check(MPI_Barrier(MPI_COMM_WORLD));
    for (std::size_t position = 0; position < group.node_ranks().size(); ++position)
        for (const std::size_t i : {std::size_t{0}, own_bytes - 1})
            CHECK(file.base()[position * own_bytes + i] == static_cast<char>(group.node_ranks()[position] + 1));
}

TEST_CASE("A file that cannot be made is refused on all processes")
{
    const TestGroup test = test_group();
    const MemoryFile file =
        share_file({*test.group, MPI_COMM_WORLD, test.tags.set_up()}, static_cast<std::size_t>(INT64_MAX) / 2, {});
    CHECK(file.refusal() != Refusal::none);
}
