#include "test/catch.hpp"

#include "shim/agreement.hpp"

using namespace hopscotch::shim;

TEST_CASE("The root is the first process with most destinations")
{
    CHECK(decode_root(encode_root(26, 5)) == 5);
    CHECK(encode_root(26, 5) > encode_root(26, 6));
    CHECK(encode_root(27, 6) > encode_root(26, 5));
    CHECK(encode_root(0, 0) >> 32 == 0);
}
