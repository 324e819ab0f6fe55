// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the spare memory that other tests have left from a test.
#pragma once

#include "shim/memory/segment.hpp"

#include <memory>
#include <vector>

/// Takes all spare segments of a group, and gives them back at its end. Local.
class SparesOfOthers
{
  public:
    explicit SparesOfOthers(const hopscotch::shim::ProcessGroup& group)
    {
        while (std::shared_ptr<hopscotch::shim::Segment> spare = hopscotch::shim::Segment::take_spare(group))
            held_.push_back(std::move(spare));
    }

  private:
    std::vector<std::shared_ptr<hopscotch::shim::Segment>> held_;
};
