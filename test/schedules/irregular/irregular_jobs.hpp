// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs with graphs that are almost a stencil on a grid, like those of real programs.
#pragma once

#include "schedules/irregular/partial_choice.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <optional>
#include <random>
#include <string>
#include <vector>

using EdgeList = std::vector<std::pair<int, int>>;
using Lists = std::vector<std::vector<int>>;

/// Row by row.
EdgeList edges_of_grid(const hopscotch::schedules::Topology& topology, const hopscotch::schedules::Stencil& stencil);

/// The destinations of each process.
Lists lists_of(int processes, const EdgeList& edges);

/// The partial grid that processes choose for a graph if the program has shown no grid.
std::optional<hopscotch::schedules::PartialGrid> best_grid_of(const Job& job);

struct IrregularJob {
    Job job;
    hopscotch::schedules::Embedding truth; // the places of its processes
};

/// A kind of graph.
struct Irregularity {
    std::string name;
    IrregularJob (*make)(std::mt19937& random);
};

std::vector<Irregularity> irregularities();

/// An ocean model with a fifth of its cells land and a north fold.
IrregularJob ocean_of_8_x_8(std::mt19937& random);
