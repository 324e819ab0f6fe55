// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of all datatypes come into host memory and go back, of either buffer of a call or of both, and nothing else of
// the memory of a device is written.
#include "test/catch.hpp"

#include "shim/base/clock.hpp"
#include "shim/blocks/staged_buffers.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/device/device_memory.h"
#include "test/device/loaded.hpp"
#include "test/mpi_constants.hpp"
#include "test/processes.hpp"
#include "test/shim/blocks/random_types.hpp"

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

std::unique_ptr<StagedBuffers> sending(const BlockLayout& user, const std::vector<int>& destinations)
{
    return StagedBuffers::find({user, {}}, destinations, {});
}

const std::vector<int> some{3, no_rank, 5};

/// Memory of the host, and memory of a device with the same contents.
struct Twin {
    Twin(const Device& device, MPI_Datatype type)
        : host(type, 3), there(device, host.bytes().size(), '?'), shift(there.data() - host.bytes().data())
    {
        fill();
    }
    void fill() { std::memcpy(there.reached(), host.bytes().data(), host.bytes().size()); }
    bool equal() const { return std::memcmp(there.reached(), host.bytes().data(), host.bytes().size()) == 0; }

    mutable ElementMemory host;
    DeviceBuffer there;
    std::ptrdiff_t shift;
};

std::vector<char> packed(const Block& block)
{
    std::vector<char> bytes(block.bytes);
    pack(block, bytes.data());
    return bytes;
}

} // namespace

TEST_CASE("Blocks of any datatypes come from a device and go back to it")
{
    const Device device(StandIn::cuda);
    const auto try_out = [&device](MPI_Datatype type, std::mt19937& random) {
        Twin twin(device, type);
        const BlockLayout host = BlockLayout::regular(twin.host.address(), 1, type);
        BlockLayout user = host;
        user.move(twin.shift);
        auto staged = sending(user, some);
        if (host[0].bytes == 0) {
            CHECK(staged == nullptr);
            return;
        }
        REQUIRE(staged != nullptr);
        staged->bring();
        for (const int i : {0, 2})
            CHECK(packed(staged->blocks().send[i]) == packed(host[i]));

        staged = StagedBuffers::find({{}, user}, {}, some);
        for (const int i : {0, 2}) {
            std::vector<char> bytes = packed(host[i]);
            for (char& byte : bytes)
                byte = static_cast<char>(random());
            unpack(bytes.data(), bytes.size(), staged->blocks().receive[i]);
            unpack(bytes.data(), bytes.size(), host[i]);
        }
        staged->take_back();
        CHECK(twin.equal());
    };
    for_random_types(150, [&](const RandomType& type, std::mt19937& random) { try_out(type.get(), random); });
    std::mt19937 random(seed());
    try_out(MPI_SHORT_INT, random); // only the library knows its gap
}

TEST_CASE("A dense buffer is one copy, and so are the columns of an array")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 4096, 'm');
    const unsigned long before = device.counts().copies;
    sending(BlockLayout::regular(memory.data(), 10, MPI_INT), {0, 1, 2, 3})->bring();
    CHECK(device.counts().copies == before + 1);
    const CommittedType column(MPI_Type_vector, 16, 1, 16, MPI_INT);
    sending(BlockLayout::single(memory.data(), 1, column), {0})->bring();
    CHECK(device.counts().copies == before + 2);
}

TEST_CASE("Ordinary memory is not moved, and pieces of MPI_BOTTOM may lie anywhere")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 100, 'd');
    char host[100] = "host";
    CHECK(sending(BlockLayout::regular(host, 10, MPI_BYTE), {0, 1}) == nullptr);
    MPI_Aint displacements[2];
    MPI_Get_address(host, &displacements[0]);
    MPI_Get_address(memory.data(), &displacements[1]);
    const int counts[2] = {4, 4};
    const MPI_Datatype types[2] = {MPI_BYTE, MPI_BYTE};
    const auto staged = sending(BlockLayout::general(MPI_BOTTOM, counts, displacements, types, 2), {0, 1});
    REQUIRE(staged != nullptr);
    staged->bring();
    CHECK(packed(staged->blocks().send[0]) == std::vector<char>{'h', 'o', 's', 't'});
    CHECK(packed(staged->blocks().send[1]) == std::vector<char>{'d', 'd', 'd', 'd'});
}

TEST_CASE("A copy that fails is an error of MPI")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 100, 'd');
    const auto staged = sending(BlockLayout::regular(memory.data(), 101, MPI_BYTE), {0});
    CHECK_THROWS_AS(staged->bring(), MpiError);
}

TEST_CASE("Only buffers in the memory of a device are moved, and copies are counted")
{
    const std::uint64_t begin = ticks();
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
    const StagedBuffers::Copied copied = staged->take_copied();
    CHECK(copied.bytes == 8);
    CHECK(copied.ticks <= ticks() - begin);
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
