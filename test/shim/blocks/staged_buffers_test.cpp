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

namespace
{

Layouts ints(const void* send, void* receive)
{
    return {BlockLayout::regular(send, 1, MPI_INT), BlockLayout::regular(receive, 1, MPI_INT)};
}

} // namespace

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
