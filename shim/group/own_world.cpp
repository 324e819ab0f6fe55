// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/own_world.hpp"

#include "schedules/selection/agreement.hpp"
#include "shim/base/immortal.hpp"
#include "shim/group/node.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

namespace hopscotch::shim
{

namespace
{

std::atomic<bool> own_world_is_claimed{false};

/// Made at its first use: libraries that are initialized before this one may call MPI_Init, and Open MPI defines
/// MPI_COMM_NULL at run time.
MPI_Comm& own_communicator() noexcept
{
    static MPI_Comm comm = MPI_COMM_NULL;
    return comm;
}

std::vector<int>& known_nodes()
{
    struct NodesOfWorld {
        std::vector<int> nodes;
    };
    return immortal<NodesOfWorld>().nodes;
}

} // namespace

/// Open MPI 5 knows it of MPI_COMM_WORLD only.
int largest_tag()
{
    void* value = nullptr;
    int found = 0;
    check(next.MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found));
    return found != 0 ? *static_cast<int*>(value) : 32767;
}

MPI_Comm make_private(const std::vector<int>& members, std::int64_t id)
{
    const auto first = static_cast<std::uint64_t>(members.front());
    const std::uint64_t number = schedules::hash_with(first, static_cast<std::uint64_t>(id));
    const int tag = static_cast<int>(number % (static_cast<std::uint64_t>(largest_tag()) + 1));
    const CommGroup all(own_world());
    MPI_Group processes = MPI_GROUP_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    check(next.MPI_Group_incl(all.get(), static_cast<int>(members.size()), members.data(), &processes));
    const int code = next.MPI_Comm_create_group(own_world(), processes, tag, &made);
    next.MPI_Group_free(&processes);
    check(code);
    return made;
}

MPI_Comm make_alone()
{
    static std::atomic<std::int64_t> next_id{std::numeric_limits<std::int64_t>::min()}; // far from those of groups
    MPI_Comm made = MPI_COMM_NULL;
    try {
        if (own_world() == MPI_COMM_NULL)                           // HOPSCOTCH=off, and a function of the papers
            check(next.MPI_Comm_split(MPI_COMM_SELF, 0, 0, &made)); // a duplicate would have the program's attributes
        else
            made = make_private({rank_in(own_world())}, next_id++);
        check(next.MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
    } catch (const MpiError&) {
        if (made != MPI_COMM_NULL)
            next.MPI_Comm_free(&made);
    }
    return made;
}

MPI_Comm own_world() noexcept
{
    return own_communicator();
}

void make_own_world()
{
    check(next.MPI_Comm_split(MPI_COMM_WORLD, 0, rank_in(MPI_COMM_WORLD), &own_communicator()));
    check(next.MPI_Comm_set_errhandler(own_communicator(), MPI_ERRORS_RETURN));
}

void free_own_world() noexcept
{
    if (own_communicator() != MPI_COMM_NULL)
        next.MPI_Comm_free(&own_communicator());
}

OwnWorldClaim::~OwnWorldClaim()
{
    if (is_held_)
        own_world_is_claimed = false;
}

void OwnWorldClaim::take(const std::vector<int>& members)
{
    if (own_world() == MPI_COMM_NULL)
        return;
    const bool has_all = members.size() == static_cast<std::size_t>(size_of(own_world()));
    is_held_ = has_all && std::is_sorted(members.begin(), members.end()) && !own_world_is_claimed.exchange(true);
}

/// By the size of comm: MPICH 5.0.2 gives a communicator that has been made smaller than its parent the parent's group.
std::vector<int> world_ranks(MPI_Comm comm)
{
    std::vector<int> ranks(static_cast<std::size_t>(size_of(comm)));
    std::iota(ranks.begin(), ranks.end(), 0);
    return translated(ranks, CommGroup(comm), CommGroup(MPI_COMM_WORLD));
}

void learn_nodes_of_world()
{
    known_nodes() = first_on_node(own_world());
}

const std::vector<int>& nodes_of_world()
{
    return known_nodes();
}

} // namespace hopscotch::shim
