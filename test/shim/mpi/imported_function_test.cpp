// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/mpi/imported_function.hpp"

#include "test/catch.hpp"

#include <dlfcn.h>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

constexpr int replaced = -7;

pid_t no_parent()
{
    return replaced;
}

/// The object that is bound at the first call, or the one that is bound when it is loaded: its entries are read-only.
class Importing
{
  public:
    explicit Importing(const char* path) : handle_(dlopen(path, RTLD_LAZY | RTLD_LOCAL))
    {
        REQUIRE(handle_ != nullptr);
    }
    ~Importing() { dlclose(handle_); }
    Importing(const Importing&) = delete;
    Importing& operator=(const Importing&) = delete;

    int parent() const { return reinterpret_cast<int (*)()>(address())(); }
    void* address() const { return dlsym(handle_, "import_parent"); }

  private:
    void* handle_;
};

void check_replaced(const ImportedFunction& calls, const Importing& importing)
{
    REQUIRE(calls.target() == dlsym(RTLD_DEFAULT, "getppid"));
    CHECK(calls.replace(reinterpret_cast<void*>(&no_parent)));
    CHECK(importing.parent() == replaced);
    CHECK(calls.target() == reinterpret_cast<void*>(&no_parent));
    CHECK(getppid() != replaced);
}

} // namespace

TEST_CASE("A call that one object makes is replaced, whenever it was bound, for that object alone")
{
    const Importing lazy(HOPSCOTCH_IMPORTING_LAZY);
    const auto calls = ImportedFunction::find("getppid", "import_parent", nullptr);
    REQUIRE(calls.exists());
    CHECK(lazy.parent() == getppid()); // binds it
    check_replaced(calls, lazy);

    const Importing bound(HOPSCOTCH_IMPORTING_NOW);
    CHECK(bound.parent() == getppid());
    const auto others = ImportedFunction::find("getppid", "import_parent", bound.address());
    REQUIRE(others.exists());
    check_replaced(others, bound);

    // Two objects define it.
    CHECK_FALSE(ImportedFunction::find("getppid", "import_parent", nullptr).exists());
    CHECK(ImportedFunction::find("getppid", "import_parent", lazy.address()).target() ==
          reinterpret_cast<void*>(&no_parent));
}

TEST_CASE("A function that an object does not call has no entry, and one not called so far no target")
{
    CHECK_FALSE(ImportedFunction::find("getppid", "import_parent", nullptr).exists());
    const Importing lazy(HOPSCOTCH_IMPORTING_LAZY);
    CHECK_FALSE(ImportedFunction::find("getpid", "import_parent", nullptr).exists());
    CHECK_FALSE(ImportedFunction::find("getppid", "import_child", nullptr).exists());
    const auto calls = ImportedFunction::find("getppid", "import_parent", nullptr);
    REQUIRE(calls.exists());
    if (getenv("LD_BIND_NOW") == nullptr)
        CHECK(calls.target() == nullptr);
}
