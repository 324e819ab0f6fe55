// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Who called is found by name even when the function is local to its file; nothing is required to be installed.
#include "test/catch.hpp"

#include "shim/report/callsite.hpp"

#include <thread>

using namespace hopscotch::shim;

namespace
{

[[gnu::noinline]] std::vector<void*> inner(int most)
{
    std::vector<void*> stack = capture_stack(most);
    asm volatile("" ::: "memory"); // no tail call: this frame has to stay
    return stack;
}

[[gnu::noinline]] std::vector<void*> outer(int most)
{
    std::vector<void*> stack = inner(most);
    asm volatile("" ::: "memory");
    return stack;
}

[[gnu::noinline]] const std::vector<void*>* place()
{
    const std::vector<void*>* found = &known_call_site();
    asm volatile("" ::: "memory");
    return found;
}

/// As capture_stack() sees it; called from either of two places of one function.
[[gnu::noinline, gnu::noclone]] const std::vector<void*>* captured_place()
{
    const std::vector<void*>* found = &capture_stack(2); // with one_of_two_places
    asm volatile("" ::: "memory");
    return found;
}

[[gnu::noinline, gnu::noclone]] const std::vector<void*>* one_of_two_places(bool second)
{
    const std::vector<void*>* found = nullptr;
    if (second) {
        found = captured_place();
        asm volatile("nop" ::: "memory"); // two calls, not one for both
    } else {
        found = captured_place();
        asm volatile("" ::: "memory");
    }
    return found;
}

/// The same with another stack pointer.
[[gnu::noinline, gnu::noclone]] const std::vector<void*>* deeper(int levels, bool second)
{
    const std::vector<void*>* found = levels > 0 ? deeper(levels - 1, second) : one_of_two_places(second);
    asm volatile("" ::: "memory");
    return found;
}

bool starts_with(const std::string& text, const std::string& start)
{
    return text.compare(0, start.size(), start) == 0;
}

} // namespace

TEST_CASE("The stack begins with the caller and ends with main")
{
    const std::vector<void*> stack = outer(100);
    REQUIRE(stack.size() >= 3);
    const std::vector<std::string> names = describe(stack);
    REQUIRE(names.size() >= 3);
    CHECK(names.size() <= stack.size());
    for (const std::string& name : names) {
        CHECK(name.find(" (") != std::string::npos);
        CHECK(name.back() == ')');
    }
#if defined(HOPSCOTCH_HAVE_LIBUNWIND) || defined(HOPSCOTCH_HAVE_LIBDW)
    CHECK(starts_with(names[0], "(anonymous namespace)::inner ("));
    CHECK(starts_with(names[1], "(anonymous namespace)::outer ("));
    CHECK(starts_with(names.back(), "main ("));
#endif
}

TEST_CASE("At most as many frames as asked for")
{
    CHECK(outer(2).size() == 2);
    CHECK(outer(0).empty());
    const std::vector<void*> all = outer(100);
    const std::vector<void*> two = outer(2);
    CHECK(two[0] == all[0]);
}

TEST_CASE("Any address gets a text")
{
    CHECK(describe({}).empty());
    const std::vector<std::string> names = describe({nullptr, reinterpret_cast<void*>(16)});
    REQUIRE(names.size() == 2);
    CHECK(names[1] == "?? (?+0xf)");
    int on_the_stack = 0;
    CHECK(describe({&on_the_stack}).size() == 1);
}

TEST_CASE("The same place has the same text every time")
{
    const std::vector<void*> stack = outer(3);
    CHECK(describe(stack) == describe(stack));
}

TEST_CASE("Lines that call at the same depth of the stack are told apart, and known again")
{
    std::vector<const std::vector<void*>*> seen[2];
    for (int i = 0; i < 2; ++i) {
        seen[i].push_back(place());
        seen[i].push_back(place());
    }
    CHECK(seen[0] == seen[1]);
    CHECK(seen[0][0] != seen[0][1]);
    CHECK(*seen[0][0] != *seen[0][1]);
}

TEST_CASE("A stack that was walked before is told from those that differ in one caller")
{
    const std::vector<void*>* const first = one_of_two_places(false);
    const std::vector<void*>* const second = one_of_two_places(true);
    CHECK(*first != *second);
    for (const int repeats : {20, 1, 3, 20}) // few do not make it remember where the addresses lie
        for (int round = 0; round < 4; ++round)
            for (int i = 0; i < repeats; ++i)
                CHECK(*one_of_two_places(round % 2 == 1) == *(round % 2 == 1 ? second : first));
    for (int levels = 0; levels < 4; ++levels) {
        const std::vector<void*> walked = *deeper(levels, false);
        for (int i = 0; i < 20; ++i)
            CHECK(*deeper(levels, false) == walked);
        CHECK(*deeper(levels, true) != walked);
        CHECK(*deeper(levels, false) == walked);
    }
}

TEST_CASE("Another number of frames is another answer from the same place")
{
    for (int round = 0; round < 2; ++round)
        for (const int most : {1, 2, 100})
            for (int i = 0; i < 20; ++i)
                CHECK(outer(most).size() >= (most == 100 ? 3u : static_cast<std::size_t>(most)));
    for (int i = 0; i < 20; ++i)
        CHECK(outer(1).size() == 1);
}

TEST_CASE("Threads remember stacks of their own")
{
    const auto many = [] {
        const std::vector<void*> walked = *one_of_two_places(true);
        int same = 0;
        for (int i = 0; i < 1000; ++i)
            same += *one_of_two_places(true) == walked ? 1 : 0;
        return same;
    };
    int of_thread[2] = {0, 0};
    std::thread one([&] { of_thread[0] = many(); });
    std::thread other([&] { of_thread[1] = many(); });
    one.join();
    other.join();
    CHECK(of_thread[0] == 1000);
    CHECK(of_thread[1] == 1000);
}
