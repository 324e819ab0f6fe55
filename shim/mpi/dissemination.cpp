// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts together what all processes say, by messages, without waiting for any.
#include "shim/mpi/dissemination.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

std::uint64_t larger(std::uint64_t one, std::uint64_t other)
{
    return static_cast<std::int64_t>(one) < static_cast<std::int64_t>(other) ? other : one;
}

Dissemination::Dissemination(std::shared_ptr<const ProcessGroup> group, int tag, const std::uint64_t* words,
                             std::size_t count, Join join)
    : group_(std::move(group)), tag_(tag), count_(count), join_(join)
{
    std::copy(words, words + count, words_.begin());
}

bool Dissemination::advance()
{
    while (distance_ < group_->size()) {
        if (!in_round_)
            begin_round();
        int complete = 0;
        check(next.Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE));
        if (complete == 0)
            return false;
        std::transform(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(count_), received_.begin(),
                       words_.begin(), join_);
        in_round_ = false;
        distance_ *= 2;
    }
    return true;
}

void Dissemination::begin_round()
{
    const int rank = group_->rank();
    const int size = group_->size();
    const std::size_t bytes = count_ * sizeof words_.front();
    sent_ = words_;
    start_receive(*group_, reinterpret_cast<char*>(received_.data()), bytes, (rank - distance_ + size) % size, tag_,
                  requests_[0]);
    start_send(*group_, reinterpret_cast<const char*>(sent_.data()), bytes, (rank + distance_) % size, tag_,
               requests_[1]);
    in_round_ = true;
}

} // namespace hopscotch::shim
