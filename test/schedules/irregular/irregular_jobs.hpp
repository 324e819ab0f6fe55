// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs whose graphs are almost a stencil on a grid, as those of real programs are.
#pragma once

#include "schedules/irregular/partial_choice.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <optional>
#include <random>
#include <string>
#include <vector>

using EdgeList = std::vector<std::pair<int, int>>;

/// Row by row.
EdgeList edges_of_grid(const hopscotch::schedules::Topology& topology, const hopscotch::schedules::Stencil& stencil);

/// The partial grid that is chosen for a graph, as processes choose it whose program has shown no grid.
std::optional<hopscotch::schedules::PartialGrid> best_grid_of(const Job& job);

struct IrregularJob {
    Job job;
    std::optional<hopscotch::schedules::Embedding> truth = {}; // where its processes lie, if ranks do not say it
};

/// A kind of graph.
struct Irregularity {
    std::string name;
    IrregularJob (*make)(std::mt19937& random);
};

std::vector<Irregularity> irregularities();
