// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The output of the measuring program: lines of JSON, each behind a marker, which survive launchers that add words.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

/// One line. A program that reads the output looks for the marker anywhere in a line.
class Record
{
  public:
    explicit Record(const std::string& kind);

    Record& add(const std::string& name, const std::string& text);
    Record& add(const std::string& name, const char* text) { return add(name, std::string(text)); }
    Record& add(const std::string& name, double value);
    Record& add(const std::string& name, const std::vector<double>& values);
    Record& add(const std::string& name, const std::vector<std::string>& texts);
    Record& add(const std::string& name, const Record& part);
    Record& add(const std::string& name, const std::vector<Record>& parts);

    /// By rank 0 of MPI_COMM_WORLD; the others print nothing.
    void print() const;

  private:
    Record& add_json(const std::string& name, const std::string& json);

    std::string json_;
};

/// Time that is left, as rank 0 of a communicator sees it.
class Budget
{
  public:
    explicit Budget(double seconds) : end_(MPI_Wtime() + seconds) {}

    /// The same on all processes. Collective.
    bool is_over(MPI_Comm processes) const;

  private:
    double end_;
};

/// Waits for all processes without using a core, as those do that have no part in what is measured. Collective.
void meet_quietly(MPI_Comm processes);

/// The processes of the node. Collective: over MPI_COMM_WORLD.
MPI_Comm node_communicator();

/// Of a communicator.
int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);
