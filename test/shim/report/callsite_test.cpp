// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Places of the program that call are told apart, and known again in every thread.
#include "test/catch.hpp"

#include "shim/report/callsite.hpp"

#include <initializer_list>
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

/// True if two lines, called again and again, were two places that never changed. A compiler may have made several
/// copies of a line by unrolling the loop.
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

/// True if stacks of many depths in turn were as many places that never changed. So many are not remembered: each stack
/// is read anew, after 256 of them by libunwind.
bool told_apart_by_depth()
{
    constexpr int depths = 21;
    std::set<const std::vector<void*>*> found;
    for (int i = 0; i < 40 * depths; ++i)
        found.insert(deeper(i % depths));
    return found.size() == depths;
}

} // namespace

TEST_CASE("Lines that call at the same depth of the stack are told apart, and known again")
{
    CHECK(told_apart());
    CHECK(told_apart_by_depth());
}

TEST_CASE("Threads that call at once know their places", "[libunwind]")
{
    bool of_thread[2] = {false, false};
    std::thread one([&] { of_thread[0] = told_apart() && told_apart_by_depth(); });
    std::thread other([&] { of_thread[1] = told_apart_by_depth() && told_apart(); });
    one.join();
    other.join();
    CHECK(of_thread[0]);
    CHECK(of_thread[1]);
}

/// The frame above the place has another size.
ONE_FUNCTION const std::vector<void*>* above(std::size_t bytes)
{
    auto* const room = static_cast<volatile char*>(__builtin_alloca(bytes));
    room[0] = 1;
    const std::vector<void*>* found = place();
    asm volatile("" ::: "memory");
    return found;
}

/// Calls a function of one parameter at one place, with one after the other.
template <class Parameter>
ONE_FUNCTION std::set<const std::vector<void*>*> found_in_turn(const std::vector<void*>* (*call)(Parameter),
                                                               std::initializer_list<Parameter> parameters)
{
    std::set<const std::vector<void*>*> found;
    for (const Parameter parameter : parameters)
        found.insert(call(parameter));
    return found;
}

TEST_CASE("A place is known again behind frames of other sizes")
{
    CHECK(found_in_turn<std::size_t>(&above, {16, 160, 16, 16, 160, 320, 160}).size() == 1);
}

TEST_CASE("Places are told apart by a frame far above, and by the number of frames")
{
    const auto one = found_in_turn(&deeper, {20, 20, 20});
    const auto other = found_in_turn(&deeper, {20, 20, 20});
    CHECK(one.size() == 1);
    CHECK(other.size() == 1);
    CHECK(one != other);
    CHECK(found_in_turn(&deeper, {3, 4, 3, 5, 4, 3}).size() == 3);
}

TEST_CASE("A place has the innermost frames of a deep stack, and no more than sixteen")
{
    CHECK(frames_of_the_program(*deeper(5)).size() > 5);
    CHECK(frames_of_the_program(*deeper(40)).size() == 16);
    CHECK(frames_of_the_program(*deeper(2)) != frames_of_the_program(*deeper(3)));
}
