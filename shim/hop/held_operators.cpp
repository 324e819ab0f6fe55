// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps operators of reductions that complete later: the program may free them as soon as such a call has returned.
#include "shim/hop/held_operators.hpp"

#include "shim/base/immortal.hpp"

#include <map>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

struct Held {
    int holders = 0;
    bool unwanted = false; // the program has freed it
};

struct HeldOperators {
    std::mutex mutex;
    std::map<std::uintptr_t, Held> by_handle;
};

void release(MPI_Op op) noexcept
{
    HeldOperators& all = immortal<HeldOperators>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_handle.find(number_of(op));
    if (--found->second.holders > 0)
        return;
    const bool unwanted = found->second.unwanted;
    all.by_handle.erase(found);
    if (unwanted && mpi_goes_on())
        next.MPI_Op_free(&op);
}

} // namespace

std::shared_ptr<const void> hold_operator(MPI_Op op)
{
    auto holder = std::make_unique<MPI_Op>(op);
    HeldOperators& all = immortal<HeldOperators>();
    {
        const std::lock_guard<std::mutex> lock(all.mutex);
        ++all.by_handle[number_of(op)].holders;
    }
    return std::shared_ptr<MPI_Op>(holder.release(), [](MPI_Op* held) {
        release(*held);
        delete held;
    });
}

int free_operator(MPI_Op* op)
{
    if (op != nullptr) {
        HeldOperators& all = immortal<HeldOperators>();
        const std::lock_guard<std::mutex> lock(all.mutex);
        if (const auto found = all.by_handle.find(number_of(*op)); found != all.by_handle.end()) {
            found->second.unwanted = true;
            *op = MPI_OP_NULL;
            return MPI_SUCCESS;
        }
    }
    return next.MPI_Op_free(op); // unlocked: it may call a function of the program
}

} // namespace hopscotch::shim
