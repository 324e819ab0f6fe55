// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Partitioned messages (MPI 4.0, 4): no receive and no probe of another kind finds them, and no collective counts them.
// Open MPI 5 sends others to set them up; the device ch3 of MPICH has none.
#include "shim/group/roll_call.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace hopscotch::shim
{

namespace
{

/// True if the library has messages of that kind and sends no others for them.
bool has_silent_messages()
{
    const std::string text = library_version();
    const bool known = text.find("MPICH Version:") != std::string::npos && text.find("ch4") != std::string::npos;
    return known && next.MPI_Psend_init != nullptr && next.MPI_Precv_init != nullptr && next.MPI_Pready != nullptr;
}

struct Message {
    std::int64_t someone_gave_up = 0;
    RollCallValues values{};
};
constexpr int words = sizeof(Message) / sizeof(std::int64_t);

struct Step {
    Message sent;
    Message received;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Request receive = MPI_REQUEST_NULL;
};

using Steps = std::vector<Step>;

/// All of both rounds, begun at once, so that later a message takes one way only.
std::unique_ptr<Steps> begin_steps(int rank, int size)
{
    constexpr int first_tag = 31000; // any that exists everywhere
    int count = 0;
    for (int distance = 1; distance < size; distance *= 2)
        ++count;
    auto steps = std::make_unique<Steps>(2 * static_cast<std::size_t>(count));
    for (int i = 0; i < 2 * count; ++i) {
        Step& step = (*steps)[static_cast<std::size_t>(i)];
        const int distance = 1 << (i % count);
        check(next.MPI_Psend_init(&step.sent, 1, words, MPI_INT64_T, (rank + distance) % size, first_tag + i,
                                  MPI_COMM_WORLD, MPI_INFO_NULL, &step.send));
        check(next.MPI_Precv_init(&step.received, 1, words, MPI_INT64_T, (rank + size - distance) % size, first_tag + i,
                                  MPI_COMM_WORLD, MPI_INFO_NULL, &step.receive));
        check(next.MPI_Start(&step.send));
        check(next.MPI_Start(&step.receive));
    }
    return steps;
}

/// True if the message is complete; `patience`: the seconds to wait for it, without limit if negative.
bool completes(MPI_Request& request, double patience)
{
    constexpr double busy_seconds = 0.02;
    Patience spent;
    for (int done = 0;;) {
        check(next.MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (done != 0)
            return true;
        const double seconds = spent.spent();
        if (patience >= 0.0 && seconds > patience)
            return false;
        if (seconds < busy_seconds)
            sched_yield();
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // others may need this core to start
    }
}

void take_maxima(RollCallValues& own, const RollCallValues& others)
{
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = std::max(own[i], others[i]);
}

} // namespace

/// In step k of a round each process receives the knowledge of the process 2^k before it. So a process that ends a
/// round has heard of all, unless some process gave up. A process that gives up, or hears of it, sends its remaining
/// messages without waiting. In the second round nobody gives up any more. If a process ends it without hearing of one,
/// no process gave up.
std::optional<RollCall> call_the_roll(double patience, const RollCallValues& values)
{
    if (!has_silent_messages())
        return std::nullopt;
    const int rank = rank_in(MPI_COMM_WORLD);
    const int size = size_of(MPI_COMM_WORLD);
    std::unique_ptr<Steps> owned = begin_steps(rank, size);
    Steps& steps = *owned;
    RollCall result{true, true, values};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Step& step = steps[i];
        step.sent = {result.complete ? 0 : 1, result.maxima};
        check(next.MPI_Pready(0, step.send));
        if (!result.complete)
            continue;
        const bool came = completes(step.receive, i < steps.size() / 2 ? patience : -1.0);
        if (i == 0)
            result.predecessor_came = came;
        result.complete = came && step.received.someone_gave_up == 0;
        if (result.complete)
            take_maxima(result.maxima, step.received.values);
    }
    if (!result.complete) {
        static_cast<void>(owned.release()); // others may still read and write there
        return result;
    }
    for (Step& step : steps) {
        completes(step.send, -1.0);
        check(next.MPI_Request_free(&step.send));
        check(next.MPI_Request_free(&step.receive));
    }
    return result;
}

} // namespace hopscotch::shim
