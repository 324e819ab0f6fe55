// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the plans of a graph for calls through shared memory: communicators with the same graph need not plan again.
#pragma once

#include "schedules/memory/memory_plan.hpp"
#include "schedules/plan/algorithm.hpp"
#include "shim/mpi/threads.hpp"

#include <array>
#include <memory>
#include <mutex>

namespace hopscotch::shim
{

/// The plans by collective, of blocking calls and of others. Any thread.
class KeptPlans
{
  public:
    KeptPlans() = default;
    ~KeptPlans() = default;

    /// A copy of a graph may get other edges, so it begins without plans.
    KeptPlans(const KeptPlans& /*other*/) {}
    KeptPlans& operator=(const KeptPlans& other)
    {
        if (this != &other)
            plans_ = {};
        return *this;
    }

    /// The plan of a collective; `make()` makes it if there is none.
    template <class Make>
    schedules::MemoryPlan plan(schedules::Collective collective, schedules::Completion completion, Make&& make)
    {
        const LockAmongThreads lock(mutex_);
        auto& kept = plans_[static_cast<std::size_t>(collective)][completion == schedules::Completion::blocking];
        if (kept == nullptr)
            kept = std::make_unique<const schedules::MemoryPlan>(make());
        return *kept;
    }

  private:
    std::mutex mutex_;
    std::array<std::array<std::unique_ptr<const schedules::MemoryPlan>, 2>, schedules::collective_count> plans_;
};

} // namespace hopscotch::shim
