// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Places of the program that call are told apart, and known again in every thread.
#include "test/catch.hpp"

#include "shim/report/callsite.hpp"

#include <thread>

using namespace hopscotch::shim;

namespace
{

[[gnu::noinline, gnu::noclone]] const std::vector<void*>* place()
{
    const std::vector<void*>* found = &capture_call_site();
    asm volatile("" ::: "memory"); // no tail call: this frame has to stay
    return found;
}

/// Called with as many frames of one function above it.
[[gnu::noinline, gnu::noclone]] const std::vector<void*>* deeper(int levels)
{
    const std::vector<void*>* found = levels > 0 ? deeper(levels - 1) : place();
    asm volatile("" ::: "memory");
    return found;
}

/// The addresses seen from two lines, again and again: whether they were two, always the same.
bool told_apart()
{
    const std::vector<void*>* seen[2] = {nullptr, nullptr};
    bool same = true;
    for (int i = 0; i < 1000; ++i) {
        const std::vector<void*>* const first = place();
        const std::vector<void*>* const second = place();
        same = same && (i == 0 || (seen[0] == first && seen[1] == second));
        seen[0] = first;
        seen[1] = second;
    }
    return same && *seen[0] != *seen[1];
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
    CHECK(deeper(5)->size() > 5);
    CHECK(deeper(40)->size() == 16);
    CHECK(*deeper(2) != *deeper(3));
}
