// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Host memory stands in for either buffer of a call, or for both.
#include "test/catch.hpp"

#include "shim/blocks/staged_buffers.hpp"
#include "test/device/device_memory.h"
#include "test/device/loaded.hpp"

#include <cstring>

using namespace hopscotch::shim;
using namespace hopscotch::test;
using hopscotch::schedules::no_rank;

namespace
{

Layouts ints(const void* send, void* receive)
{
    return {BlockLayout::regular(send, 1, MPI_INT), BlockLayout::regular(receive, 1, MPI_INT)};
}

} // namespace

TEST_CASE("Large blocks for other processes stay on the device, without a copy")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer there(device, 400, 's');
    const DeviceBuffer back(device, 400, 'r', 1);
    const int counts[] = {10, 2, 10, 10};
    const int displacements[] = {0, 20, 40, 60};
    const Layouts user{BlockLayout::varying(there.data(), counts, displacements, MPI_INT, 4),
                       BlockLayout::varying(back.data(), counts, displacements, MPI_INT, 4)};
    const std::vector<int> peers{1, 1, 0, no_rank};
    const auto staged = StagedBuffers::find(user, peers, peers, {39, 0});
    REQUIRE(staged != nullptr);
    const unsigned long before = device.counts().bytes;
    staged->bring();
    CHECK(staged->blocks().send[0].address == there.data());
    CHECK(staged->blocks().send[0].bytes == 40);
    CHECK(std::memcmp(staged->blocks().send[1].address, "ssssssss", 8) == 0);
    CHECK(staged->blocks().send[2].address[39] == 's');
    CHECK(staged->blocks().receive[0].address == back.data());
    std::memset(staged->blocks().receive[1].address, '1', 8);
    std::memset(staged->blocks().receive[2].address, '2', 40);
    staged->take_back();
    CHECK(std::memcmp(back.reached() + 80, "11111111rr", 10) == 0);
    CHECK(std::memcmp(back.reached() + 158, "rr2222", 6) == 0);
    CHECK(device.counts().bytes == before + 2 * 48);
    CHECK(staged->take_copied().bytes == 2 * 48);
    CHECK(StagedBuffers::find(user, {1, no_rank, 1, 1}, {1, no_rank, 1, 1}, {39, 0}) == nullptr); // nothing to copy
}

TEST_CASE("Only buffers in the memory of a device are moved, and copies are counted")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer there(device, 100, 's');
    const DeviceBuffer back(device, 100, 'r', 1);
    int here[2] = {1, 2};
    const std::vector<int> peers{0, 0};
    CHECK(StagedBuffers::find(ints(here, here), peers, peers) == nullptr);

    auto staged = StagedBuffers::find(ints(there.data(), here), peers, peers);
    REQUIRE(staged != nullptr);
    CHECK(staged->shifts().receive == 0);
    staged->bring();
    CHECK(std::memcmp(staged->blocks().send[1].address, "ssss", 4) == 0);
    CHECK(staged->blocks().receive[1].address == reinterpret_cast<char*>(here + 1));
    staged->take_back(); // nothing
    CHECK(staged->take_copied().bytes == 8);
    CHECK(staged->take_copied().bytes == 0);

    staged = StagedBuffers::find(ints(here, back.data()), peers, peers);
    REQUIRE(staged != nullptr);
    staged->bring(); // nothing
    CHECK(staged->shifts().send == 0);
    CHECK(staged->shifts().received(back.data()) == staged->blocks().receive[0].address);
    std::memcpy(staged->blocks().receive[0].address, "12345678", 8);
    staged->take_back();
    CHECK(std::memcmp(back.reached(), "12345678rr", 10) == 0);
}
