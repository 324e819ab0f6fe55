// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes agree through memory as they do by a collective, from the fifth graph of a communicator on.
#include "test/catch.hpp"

#include "shim/graph/creation_board.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch::shim;

namespace
{

/// A duplicate of MPI_COMM_WORLD, without graphs.
class Parent
{
  public:
    Parent() { check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_)); }
    ~Parent() { MPI_Comm_free(&comm_); }
    Parent(const Parent&) = delete;
    Parent& operator=(const Parent&) = delete;
    operator MPI_Comm() const noexcept { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

constexpr int creations_before_board = 4;

} // namespace

TEST_CASE("A communicator gets a board with its fourth graph, and another one has its own")
{
    const TestGroup test = test_group();
    const Parent parent;
    const Parent other;
    const Ground ground{*test.group, MPI_COMM_WORLD, test.tags.set_up()};
    for (int creation = 0; creation < creations_before_board; ++creation) {
        CHECK(creation_board(parent, MPI_COMM_WORLD) == nullptr);
        note_creation(parent, ground);
    }
    const bool shares = world().size > 1 && test.group->nodes() == 1;
    CHECK((creation_board(parent, MPI_COMM_WORLD) != nullptr) == shares);
    CHECK(creation_board(other, MPI_COMM_WORLD) == nullptr);
    CHECK(creation_board(MPI_COMM_NULL, MPI_COMM_WORLD) == nullptr);
}

TEST_CASE("A graph of some processes of a communicator counts for no board")
{
    const TestGroup test = test_group();
    const Parent parent;
    const Ground ground{*test.group, MPI_COMM_SELF, test.tags.set_up()};
    for (int creation = 0; creation <= creations_before_board; ++creation)
        if (world().size > 1)
            note_creation(parent, ground);
    CHECK(creation_board(parent, MPI_COMM_WORLD) == nullptr);
}

TEST_CASE("Maxima through memory are those of the MPI library, turn after turn, for any number of values")
{
    const TestGroup test = test_group();
    const Parent parent;
    for (int creation = 0; creation < creations_before_board; ++creation)
        note_creation(parent, {*test.group, MPI_COMM_WORLD, test.tags.set_up()});
    CreationBoard* const board = creation_board(parent, MPI_COMM_WORLD);
    if (board == nullptr)
        return;
    std::mt19937_64 own(static_cast<unsigned>(world().rank + 1));
    std::mt19937_64 common(7);
    for (int turn = 0; turn < 200; ++turn) {
        std::vector<std::int64_t> values(1 + common() % CreationBoard::most_values);
        for (std::int64_t& value : values)
            value = static_cast<std::int64_t>(own());
        std::vector<std::int64_t> expected(values.size());
        if (turn % 20 == 0)
            check(MPI_Allreduce(values.data(), expected.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX,
                                MPI_COMM_WORLD));
        board->maxima(values.data(), values.size());
        if (turn % 20 == 0)
            CHECK(values == expected);
    }
    CHECK(board->all_equal(5));
    CHECK(board->all_equal(world().rank) == (world().size == 1));
}
