// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists the offsets up to a distance from a process: balls of the Manhattan and of the Chebychev metric.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace hopscotch::schedules
{

/// The distance of an offset: the sum of its absolute shifts, or the largest of them.
enum class Metric { manhattan, chebychev };

/// All offsets up to a distance, the zero offset included.
class MetricBall
{
  public:
    /// Requires: dimensions >= 1, depth >= 0.
    MetricBall(int dimensions, Metric metric, int depth)
        : dimensions_(static_cast<std::size_t>(dimensions)), metric_(metric), depth_(depth)
    {
    }

    /// The number of offsets; INT_MAX + 1 for more than an int counts.
    /// Source: Manhattan: sum over k of 2^k C(d,k) C(depth,k), here by the recurrence over d.
    long long count() const;

    /// Calls visitor(offset) for the offsets from distance `from` on. Order, Manhattan: by distance, and offsets of one
    /// distance by their absolute shifts, the larger first, the negative before the positive. Order, Chebychev: the
    /// first shift varies fastest. Cost: the number of offsets, times d.
    void visit(int from, const std::function<void(const std::vector<int>&)>& visitor) const;

  private:
    void visit_cube(std::vector<int>& offset, std::size_t free, int from, int largest,
                    const std::function<void(const std::vector<int>&)>& visitor) const;
    void visit_sphere(std::vector<int>& offset, std::size_t k, int left,
                      const std::function<void(const std::vector<int>&)>& visitor) const;

    std::size_t dimensions_;
    Metric metric_;
    int depth_;
};

} // namespace hopscotch::schedules
