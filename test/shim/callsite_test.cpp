// Who called is found by name even when the function is local to its file; nothing is required to be installed.
#include "test/catch.hpp"

#include "shim/callsite.hpp"

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
