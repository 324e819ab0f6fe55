// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Threads with the places of one segment between them lose no block, tear none and get none twice; one that ends leaves
// no other behind for ever.
#include "test/catch.hpp"

#include "schedules/memory/segment_layout.hpp"
#include "shim/memory/memory_file.hpp"
#include "shim/memory/turn.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hopscotch::shim;
using hopscotch::schedules::SegmentLayout;

namespace
{

/// Takes the calls of the kernel that concern sleep, for one test.
struct Kernel {
    std::vector<std::array<long, 3>> calls; // address, operation, value
    timespec most{};                        // sleep
    std::function<void()> during_sleep;
};
Kernel* kernel = nullptr;

} // namespace

/// In place of the C library's function.
extern "C" [[gnu::visibility("hidden")]] long syscall(long number, ...) noexcept
{
    va_list given;
    va_start(given, number);
    std::array<long, 6> arguments{};
    for (long& argument : arguments)
        argument = va_arg(given, long);
    va_end(given);
    if (kernel == nullptr || number != SYS_futex) {
        static const auto real = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
        return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    }
    kernel->calls.push_back({arguments[0], static_cast<int>(arguments[1]), static_cast<int>(arguments[2])});
    if (static_cast<int>(arguments[1]) == FUTEX_WAIT) {
        kernel->most = *reinterpret_cast<const timespec*>(arguments[3]);
        kernel->during_sleep();
    }
    return 0;
}

namespace
{

constexpr SequenceNumber wraps = SequenceNumber{1} << 32;

/// The content of a front: plain words, like blocks, so that ThreadSanitizer watches them.
struct Shown {
    Stamp stamp;
    std::array<std::uint64_t, 100> words;
};
static_assert(sizeof(Shown) <= hopscotch::schedules::front_bytes);

/// A segment whose processes are threads.
class Memory
{
  public:
    explicit Memory(std::size_t processes)
        : layout_(processes, {1}), file_(MemoryFile::make(layout_.end())), processes_(processes)
    {
        REQUIRE(file_.refusal() == Refusal::none);
    }

    std::size_t processes() const noexcept { return processes_; }
    Shown& shown(std::size_t process, SequenceNumber turn) const noexcept
    {
        return *reinterpret_cast<Shown*>(file_.base() + layout_.front(process, 0, place_of(turn)));
    }
    Readings& readings(std::size_t process) const noexcept
    {
        return *reinterpret_cast<Readings*>(file_.base() + layout_.readings(process, 0));
    }
    Sleepers& sleepers(std::size_t process) const noexcept
    {
        return *reinterpret_cast<Sleepers*>(file_.base() + layout_.sleepers(process, 0));
    }

    /// Sets the state after all turns up to this one.
    void begin_after(SequenceNumber turn) const noexcept
    {
        for (std::size_t process = 0; process < processes_; ++process)
            for (const SequenceNumber done : {turn - 1, turn}) {
                readings(process).set_done(done);
                shown(process, done).stamp.publish(done);
            }
    }

  private:
    SegmentLayout layout_;
    MemoryFile file_;
    std::size_t processes_;
};

/// No two are alike.
std::uint64_t word(std::size_t process, SequenceNumber turn, std::size_t i) noexcept
{
    return (turn << 16) + (process << 8) + i;
}

void fill(Shown& shown, std::size_t process, SequenceNumber turn) noexcept
{
    for (std::size_t i = 0; i < shown.words.size(); ++i)
        shown.words[i] = word(process, turn, i);
}

/// True if all words are those of this process and turn.
bool is_whole(const Shown& shown, std::size_t process, SequenceNumber turn) noexcept
{
    for (std::size_t i = 0; i < shown.words.size(); ++i)
        if (shown.words[i] != word(process, turn, i))
            return false;
    return true;
}

/// Ways to wait for a stamp.
enum class Waiting { looking, sleeping, both };

/// Data shared by the threads of a test.
struct Job {
    const Memory& memory;
    SequenceNumber first;
    SequenceNumber turns;
    Waiting waiting;
    std::atomic<int> damaged{0};     // blocks
    std::atomic<bool> ended{false};  // somebody will never publish again
    std::atomic<int> left_behind{0}; // threads that gave up
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + std::chrono::seconds(200);

    /// A waiting thread calls this between two looks: a fault must not block the tests for ever.
    bool goes_on()
    {
        std::this_thread::yield();
        if (!ended && std::chrono::steady_clock::now() < end)
            return true;
        ++left_behind;
        return false;
    }
};

/// One process that shows its blocks to all others and wants those of all others.
class Process
{
  public:
    Process(Job& job, std::size_t number) : job_(job), memory_(job.memory), own_(number), random_(number + 1) {}

    void run()
    {
        for (SequenceNumber turn = job_.first; turn < job_.first + job_.turns; ++turn)
            if (!take(turn))
                return;
    }

    /// One turn; false if another process has ended.
    bool take(SequenceNumber turn)
    {
        if (!wait_until_free(turn))
            return false;
        show(turn);
        for (std::size_t other = 0; other < memory_.processes(); ++other)
            if (other != own_ && !read(other, turn))
                return false;
        memory_.readings(own_).set_done(turn);
        return true;
    }

    void show(SequenceNumber turn)
    {
        Shown& shown = memory_.shown(own_, turn);
        fill(shown, own_, turn);
        linger();
        if (job_.waiting == Waiting::looking)
            shown.stamp.publish(turn);
        else
            shown.stamp.publish(turn, memory_.sleepers(own_));
    }

  private:
    /// Now and then for a short time, so that threads meet in all places.
    void linger()
    {
        const unsigned chance = static_cast<unsigned>(random_() % 64);
        if (chance == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(random_() % 300));
        else if (chance < 16)
            std::this_thread::yield();
    }

    bool wait_until_free(SequenceNumber turn)
    {
        for (std::size_t other = 0; other < memory_.processes(); ++other)
            while (other != own_ && !memory_.readings(other).is_free(turn))
                if (!job_.goes_on())
                    return false;
        return true;
    }

    bool read(std::size_t other, SequenceNumber turn)
    {
        Shown& shown = memory_.shown(other, turn);
        while (!shown.stamp.has(turn)) {
            if (!job_.goes_on())
                return false;
            if (job_.waiting == Waiting::sleeping || (job_.waiting == Waiting::both && random_() % 8 == 0))
                memory_.sleepers(other).sleep_until(shown.stamp, turn);
        }
        linger();
        if (!is_whole(shown, other, turn))
            ++job_.damaged;
        return true;
    }

    Job& job_;
    const Memory& memory_;
    std::size_t own_;
    std::mt19937 random_;
};

/// All processes, as threads.
void run(Job& job)
{
    std::vector<std::thread> threads;
    for (std::size_t process = 0; process < job.memory.processes(); ++process)
        threads.emplace_back([&job, process] { Process(job, process).run(); });
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

TEST_CASE("a place is free, filled, published, read and free again", "[threads]")
{
    const Memory memory(2);
    const SequenceNumber turn = no_turn + 1;
    Stamp& stamp = memory.shown(0, turn).stamp;
    Readings& reader = memory.readings(1);
    CHECK(reader.is_free(turn));
    CHECK(reader.is_free(turn + 1));
    CHECK_FALSE(reader.is_free(turn + 2)); // nothing is done
    CHECK_FALSE(stamp.has(turn));
    stamp.publish(turn);
    CHECK(stamp.has(turn));
    CHECK_FALSE(stamp.has(turn + 2));
    CHECK(reader.last_done(turn) == 0);
    reader.set_done(turn);
    CHECK(reader.last_done(turn) == word_of(turn));
    CHECK(reader.is_free(turn + 2));
    CHECK_FALSE(reader.is_free(turn + 3)); // the other place
    stamp.publish(turn + 2, memory.sleepers(0));
    CHECK(stamp.has(turn + 2));
    CHECK_FALSE(stamp.has(turn));
}

TEST_CASE("a reader sleeps until its block is published, and for nothing else", "[threads]")
{
    using Clock = std::chrono::steady_clock;
    constexpr int times = 20;
    const Memory memory(2);
    const SequenceNumber turn = no_turn + 1 + buffers_per_stream;
    Stamp& stamp = memory.shown(0, turn).stamp;
    stamp.publish(no_turn + 1); // the turn before in its place
    const auto begin = Clock::now();
    for (int i = 0; i < times; ++i)
        memory.sleepers(0).sleep_until(stamp, turn);
    CHECK(Clock::now() - begin > times * std::chrono::microseconds(500)); // a millisecond each
    stamp.publish(turn);
    Clock::duration shortest = Clock::duration::max();
    for (int i = 0; i < times; ++i) {
        const auto before = Clock::now();
        memory.sleepers(0).sleep_until(stamp, turn);
        shortest = std::min(shortest, Clock::now() - before);
    }
    CHECK(shortest < std::chrono::microseconds(500));
}

TEST_CASE("the kernel wakes readers if there are any, and is not called otherwise")
{
    const Memory memory(2);
    const SequenceNumber turn = no_turn + 1 + buffers_per_stream;
    Stamp& stamp = memory.shown(0, turn).stamp;
    Sleepers& sleepers = memory.sleepers(0);
    Kernel calls;
    kernel = &calls;
    calls.during_sleep = [&] { stamp.publish(turn, sleepers); };
    stamp.publish(turn - buffers_per_stream, sleepers);
    CHECK(calls.calls.empty());
    sleepers.sleep_until(stamp, turn); // another process publishes meanwhile
    const auto address = reinterpret_cast<long>(&stamp);
    const long before = static_cast<int>(word_of(turn - buffers_per_stream));
    CHECK(calls.calls ==
          std::vector<std::array<long, 3>>{{address, FUTEX_WAIT, before}, {address, FUTEX_WAKE, INT_MAX}});
    CHECK(calls.most.tv_sec == 0);
    calls.calls.clear();
    sleepers.sleep_until(stamp, turn);
    stamp.publish(turn + buffers_per_stream, sleepers);
    CHECK(calls.calls.empty());
    kernel = nullptr;
}

TEST_CASE("blocks arrive whole in every turn, however many threads there are", "[threads]")
{
    for (const Waiting waiting : {Waiting::looking, Waiting::sleeping, Waiting::both})
        for (const std::size_t processes : {2, 3, 8}) {
            const Memory memory(processes);
            Job job{memory, no_turn + 1, processes == 2 ? 2000u : 300u, waiting};
            run(job);
            CHECK(job.damaged == 0);
            REQUIRE(job.left_behind == 0);
        }
}

TEST_CASE("blocks arrive whole as the words of turns begin again", "[threads]")
{
    for (const SequenceNumber middle : {wraps, wraps + (wraps >> 1), 7 * wraps}) {
        const Memory memory(3);
        memory.begin_after(middle - 20);
        Job job{memory, middle - 19, 40, Waiting::both};
        run(job);
        CHECK(job.damaged == 0);
        REQUIRE(job.left_behind == 0);
    }
}

TEST_CASE("a late reader finds the block published for it, and nobody gets further than two places", "[threads]")
{
    const Memory memory(2);
    Job job{memory, no_turn + 1, 40, Waiting::both};
    std::thread early([&job] { Process(job, 0).run(); });
    Process late(job, 1);
    for (SequenceNumber turn = job.first; turn < job.first + job.turns; ++turn) {
        if (turn % 8 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        CHECK_FALSE(memory.shown(0, turn + 1).stamp.has(turn + 1)); // it needs our block of this turn first
        CHECK(late.take(turn));
    }
    early.join();
    CHECK(job.damaged == 0);
}

TEST_CASE("a writer that reads nothing is stopped by its readers, two turns ahead at most", "[threads]")
{
    const Memory memory(2);
    Job job{memory, no_turn + 1, 100, Waiting::looking};
    std::atomic<SequenceNumber> published{no_turn};
    std::thread writer([&] {
        Process process(job, 0);
        for (SequenceNumber turn = job.first; turn < job.first + job.turns; ++turn) {
            while (!memory.readings(1).is_free(turn))
                if (!job.goes_on())
                    return;
            process.show(turn);
            published = turn;
        }
    });
    for (SequenceNumber turn = job.first; turn < job.first + job.turns; ++turn) {
        Shown& shown = memory.shown(0, turn);
        while (!shown.stamp.has(turn) && job.goes_on())
            ;
        std::this_thread::sleep_for(std::chrono::microseconds(turn % 4 == 0 ? 200 : 0));
        CHECK(published <= turn + 1); // while this turn is being read
        CHECK(is_whole(shown, 0, turn));
        memory.readings(1).set_done(turn);
    }
    writer.join();
}

TEST_CASE("the wait for a writer that has ended is recognized", "[threads]")
{
    for (const Waiting waiting : {Waiting::looking, Waiting::sleeping}) {
        const Memory memory(4);
        Job job{memory, no_turn + 1, 1000, waiting};
        std::vector<std::thread> threads;
        for (std::size_t process = 0; process + 1 < memory.processes(); ++process)
            threads.emplace_back([&job, process] { Process(job, process).run(); });
        Process dying(job, memory.processes() - 1);
        for (SequenceNumber turn = job.first; turn < job.first + 30; ++turn)
            CHECK(dying.take(turn));
        fill(memory.shown(3, job.first + 30), 3, 0); // and ends before it publishes
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        job.ended = true;
        for (std::thread& thread : threads)
            thread.join();
        CHECK(job.left_behind == 3);
        CHECK(job.damaged == 0);
    }
}

TEST_CASE("blocks published by another process are there after its death", "[threads]")
{
    const Memory memory(2);
    const SequenceNumber turn = no_turn + 1;
    const pid_t child = fork();
    if (child == 0) {
        fill(memory.shown(1, turn), 1, turn);
        memory.shown(1, turn).stamp.publish(turn, memory.sleepers(1));
        fill(memory.shown(1, turn + 1), 1, 0);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(memory.shown(1, turn).stamp.has(turn));
    CHECK(is_whole(memory.shown(1, turn), 1, turn));
    memory.sleepers(1).sleep_until(memory.shown(1, turn + 1).stamp, turn + 1); // not for ever
    CHECK_FALSE(memory.shown(1, turn + 1).stamp.has(turn + 1));
}
