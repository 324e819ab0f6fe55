// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Windows with epochs that follow the topology of a graph communicator, as the 2020 paper proposes.
#include "include/hopscotch.h"
#include "shim/hop/hop_graph.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// The neighbors of a window: kept as its attribute.
struct WindowLinks {
    MPI_Group sources = MPI_GROUP_NULL;
    MPI_Group targets = MPI_GROUP_NULL;
    bool open = false; // an epoch of Hop_Win_fence

    WindowLinks() = default;
    WindowLinks(const WindowLinks&) = delete;
    WindowLinks& operator=(const WindowLinks&) = delete;
    ~WindowLinks()
    {
        for (MPI_Group* group : {&sources, &targets})
            if (*group != MPI_GROUP_NULL && *group != MPI_GROUP_EMPTY)
                next.MPI_Group_free(group);
    }
};

int remove_links(MPI_Win, int, void* value, void*) noexcept
{
    delete static_cast<WindowLinks*>(value);
    return MPI_SUCCESS;
}

int window_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.MPI_Win_create_keyval(copy_nothing, remove_links, &created, nullptr));
        return created;
    }();
    return keyval;
}

/// Null for a window that is not bound to a graph.
WindowLinks* find_links(MPI_Win win)
{
    void* value = nullptr;
    int found = 0;
    check(next.MPI_Win_get_attr(win, window_keyval(), &value, &found));
    return found != 0 ? static_cast<WindowLinks*>(value) : nullptr;
}

WindowLinks& links_of_window(MPI_Win win)
{
    WindowLinks* const links = find_links(win);
    demand(links != nullptr, MPI_ERR_TOPOLOGY);
    return *links;
}

/// The processes of a list, each once.
MPI_Group group_of(MPI_Group all, std::vector<int> ranks)
{
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    MPI_Group group = MPI_GROUP_NULL;
    check(next.MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &group));
    return group;
}

void bind(MPI_Comm comm, MPI_Win win)
{
    if (!is_graph(comm))
        return;
    const schedules::Edges edges = neighbor_lists(comm, topology_kind(comm));
    auto links = std::make_unique<WindowLinks>();
    const CommGroup all(comm);
    links->sources = group_of(all.get(), edges.sources);
    links->targets = group_of(all.get(), edges.destinations);
    check(next.MPI_Win_set_attr(win, window_keyval(), links.get()));
    static_cast<void>(links.release()); // remove_links deletes it
}

/// Ends the epoch of the last fence, if there is one.
int close_epoch(WindowLinks& links, MPI_Win win)
{
    if (!links.open)
        return MPI_SUCCESS;
    links.open = false;
    const int completed = next.MPI_Win_complete(win);
    const int waited = next.MPI_Win_wait(win);
    return completed != MPI_SUCCESS ? completed : waited;
}

/// The border of a function of a window; the MPI library has called the window's error handler if necessary.
template <class Body>
int bordered_on(MPI_Win win, Body&& body)
{
    if (!prove_family())
        return MPI_ERR_UNSUPPORTED_OPERATION;
    if (win == MPI_WIN_NULL)
        return MPI_ERR_WIN;
    try {
        return body();
    } catch (const MpiError& error) {
        return error.code;
    } catch (const NoMemory&) {
        return MPI_ERR_NO_MEM;
    }
}

} // namespace

int Hop_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win)
{
    return bordered(comm, [&] {
        demand(win != nullptr, MPI_ERR_ARG);
        const int code = next.MPI_Win_create(base, size, disp_unit, info, comm, win);
        if (code == MPI_SUCCESS)
            bind(comm, *win);
        return code;
    });
}

int Hop_Win_bind(MPI_Comm comm, MPI_Win win)
{
    return bordered(comm, [&] {
        demand(win != MPI_WIN_NULL, MPI_ERR_WIN);
        bind(comm, win);
    });
}

int Hop_Win_neighbor_groups(MPI_Win win, MPI_Group* sources, MPI_Group* targets)
{
    return bordered_on(win, [&] {
        demand(sources != nullptr && targets != nullptr, MPI_ERR_ARG);
        const WindowLinks& links = links_of_window(win);
        const auto copied = [](MPI_Group group) {
            int size = 0;
            check(next.MPI_Group_size(group, &size));
            std::vector<int> ranks(static_cast<std::size_t>(size));
            for (std::size_t i = 0; i < ranks.size(); ++i)
                ranks[i] = static_cast<int>(i);
            return group_of(group, ranks);
        };
        *sources = copied(links.sources);
        *targets = copied(links.targets);
        return MPI_SUCCESS;
    });
}

int Hop_Win_fence(int assertion, MPI_Win win)
{
    return bordered_on(win, [&]() -> int {
        WindowLinks* const links = find_links(win);
        if (links == nullptr)
            return next.MPI_Win_fence(assertion, win);
        const int code = close_epoch(*links, win);
        if (code != MPI_SUCCESS || (assertion & MPI_MODE_NOSUCCEED) != 0)
            return code;
        check(next.MPI_Win_post(links->sources, assertion & (MPI_MODE_NOSTORE | MPI_MODE_NOPUT), win));
        check(next.MPI_Win_start(links->targets, 0, win));
        links->open = true;
        return MPI_SUCCESS;
    });
}

int Hop_Win_post(int assertion, MPI_Win win)
{
    return bordered_on(win, [&] { return next.MPI_Win_post(links_of_window(win).sources, assertion, win); });
}

int Hop_Win_start(int assertion, MPI_Win win)
{
    return bordered_on(win, [&] { return next.MPI_Win_start(links_of_window(win).targets, assertion, win); });
}

int Hop_Win_free(MPI_Win* win)
{
    require_functions();
    if (win == nullptr)
        return MPI_ERR_ARG;
    return bordered_on(*win, [&] {
        if (WindowLinks* const links = find_links(*win))
            check(close_epoch(*links, *win));
        return next.MPI_Win_free(win);
    });
}
