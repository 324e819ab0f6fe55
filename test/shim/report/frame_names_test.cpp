// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The caller is found by name even if the function is local to its file; nothing has to be installed.
#include "test/catch.hpp"

#include "shim/report/callsite.hpp"
#include "shim/report/frame_names.hpp"

using namespace hopscotch::shim;

namespace
{

[[gnu::noinline]] std::vector<void*> inner()
{
    std::vector<void*> stack = frames_of_the_program(capture_call_site());
    asm volatile("" ::: "memory"); // no tail call: this frame has to stay
    return stack;
}

[[gnu::noinline]] std::vector<void*> outer()
{
    std::vector<void*> stack = inner();
    asm volatile("" ::: "memory");
    return stack;
}

[[maybe_unused]] bool starts_with(const std::string& text, const std::string& start)
{
    return text.compare(0, start.size(), start) == 0;
}

} // namespace

TEST_CASE("The functions of a stack have their names, one within the other, and main comes last")
{
    const std::vector<void*> stack = outer();
    REQUIRE(stack.size() >= 3);
    const std::vector<std::string> names = describe(stack);
    REQUIRE(names.size() >= 3);
    CHECK(names.size() <= stack.size());
    for (const std::string& name : names) {
        CHECK(name.find(" (") != std::string::npos);
        CHECK(name.back() == ')');
    }
#ifdef HOPSCOTCH_HAVE_LIBDW
    // The frames of the library, linked into this program, come first.
    const auto found = std::find_if(names.begin(), names.end(), [](const std::string& name) {
        return starts_with(name, "(anonymous namespace)::inner (");
    });
    REQUIRE(names.end() - found >= 2);
    CHECK(starts_with(found[1], "(anonymous namespace)::outer ("));
    CHECK((starts_with(names.back(), "main (") || stack.size() == 16)); // the limit of a stack
#endif
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
    const std::vector<void*> stack = outer();
    CHECK(describe(stack) == describe(stack));
}
