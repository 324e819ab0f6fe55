// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the largest values of all processes without waiting for any.
#include "shim/mpi/silent_maxima.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

SilentMaxima::SilentMaxima(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<std::int64_t> own)
    : group_(std::move(group)), tag_(tag), values_(std::move(own)), sent_(values_.size()), received_(values_.size())
{
}

/// Dissemination: after k rounds every process knows what it and the 2^k - 1 before it say.
bool SilentMaxima::advance()
{
    while (distance_ < group_->size()) {
        if (!in_round_)
            begin_round();
        int complete = 0;
        check(next.Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE));
        if (complete == 0)
            return false;
        std::transform(values_.begin(), values_.end(), received_.begin(), values_.begin(),
                       [](std::int64_t one, std::int64_t other) { return std::max(one, other); });
        in_round_ = false;
        distance_ *= 2;
    }
    return true;
}

void SilentMaxima::begin_round()
{
    const int rank = group_->rank();
    const int size = group_->size();
    const std::size_t bytes = values_.size() * sizeof values_.front();
    sent_ = values_;
    start_receive(*group_, reinterpret_cast<char*>(received_.data()), bytes, (rank - distance_ + size) % size, tag_,
                  requests_[0]);
    start_send(*group_, reinterpret_cast<const char*>(sent_.data()), bytes, (rank + distance_) % size, tag_,
               requests_[1]);
    in_round_ = true;
}

} // namespace hopscotch::shim
