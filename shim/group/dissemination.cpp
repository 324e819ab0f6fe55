// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/dissemination.hpp"

#include "shim/group/point_to_point.hpp"
#include "shim/group/progress.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

Dissemination::Dissemination(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<std::int64_t> values)
    : group_(std::move(group)), tag_(tag), values_(std::move(values)), received_(values_.size())
{
}

// Without an answer no process may go on, and the requests must not outlive the memory that they write.
bool Dissemination::advance()
try {
    while (distance_ < group_->size()) {
        if (!in_round_)
            begin_round();
        int complete = 0;
        check(next.MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE));
        if (complete == 0)
            return false;
        for (std::size_t i = 0; i < values_.size(); ++i)
            values_[i] = std::max(values_[i], received_[i]);
        in_round_ = false;
        distance_ *= 2;
    }
    return true;
} catch (const MpiError&) {
    end_job("an MPI function has failed where processes agree on the times of their calls; the job ends",
            "processes could not agree");
    return false;
}

void Dissemination::begin_round()
{
    const int rank = group_->rank();
    const int size = group_->size();
    const std::size_t bytes = values_.size() * sizeof values_.front();
    sent_ = values_;
    check(start_receive(group_->communicator(), received_.data(), bytes, (rank - distance_ + size) % size, tag_,
                        requests_[0]));
    check(start_send(group_->communicator(), sent_.data(), bytes, (rank + distance_) % size, tag_, requests_[1]));
    in_round_ = true;
}

void MessageConsensus::maxima(std::int64_t* values, std::size_t count)
{
    Dissemination all(group_, tag_, std::vector<std::int64_t>(values, values + count));
    progress_until([&all] { return all.advance(); },
                   [this] {
                       if (group_->yields())
                           give_way();
                   });
    std::copy(all.values().begin(), all.values().end(), values);
}

} // namespace hopscotch::shim
