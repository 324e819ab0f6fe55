// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Places of the program that call are told apart, and known again in every thread.
#include "test/catch.hpp"

#include "shim/report/callsite.hpp"

#include <algorithm>
#include <set>
#include <thread>

using namespace hopscotch::shim;

namespace
{

#ifdef __clang__ // copies no function for its arguments
#define ONE_FUNCTION [[gnu::noinline]]
#else
#define ONE_FUNCTION [[gnu::noinline, gnu::noclone]]
#endif

ONE_FUNCTION const std::vector<void*>* place()
{
    const std::vector<void*>* found = &capture_call_site();
    asm volatile("" ::: "memory"); // no tail call: this frame has to stay
    return found;
}

/// Called with as many frames of one function above it.
ONE_FUNCTION const std::vector<void*>* deeper(int levels)
{
    const std::vector<void*>* found = levels > 0 ? deeper(levels - 1) : place();
    asm volatile("" ::: "memory");
    return found;
}

/// True if two lines, called again and again, were two places that never changed, whoever reads the stack: another
/// reader takes over after 256 stacks. A compiler may have made several copies of a line by unrolling the loop.
bool told_apart()
{
    constexpr int few = 50;
    constexpr std::size_t most_copies = 16;
    std::set<const std::vector<void*>*> first;
    std::set<const std::vector<void*>*> second;
    const auto is_new = [](std::set<const std::vector<void*>*>& seen) { return seen.insert(place()).second; };
    for (int i = 0; i < 1000; ++i) {
        const bool new_first = is_new(first);
        const bool new_second = is_new(second);
        if (i >= few && (new_first || new_second))
            return false;
    }
    const auto is_first = [&first](const std::vector<void*>* seen) { return first.count(seen) != 0; };
    return first.size() <= most_copies && second.size() <= most_copies &&
           std::none_of(second.begin(), second.end(), is_first);
}

} // namespace

TEST_CASE("Lines that call at the same depth of the stack are told apart, and known again")
{
    CHECK(told_apart());
}

TEST_CASE("Threads that call at once know their places", "[libunwind]")
{
    bool of_thread[2] = {false, false};
    std::thread one([&] { of_thread[0] = told_apart(); });
    std::thread other([&] { of_thread[1] = told_apart(); });
    one.join();
    other.join();
    CHECK(of_thread[0]);
    CHECK(of_thread[1]);
}

TEST_CASE("A place has the innermost frames of a deep stack, and no more than sixteen")
{
    CHECK(frames_of_the_program(*deeper(5)).size() > 5);
    CHECK(frames_of_the_program(*deeper(40)).size() == 16);
    CHECK(frames_of_the_program(*deeper(2)) != frames_of_the_program(*deeper(3)));
}
