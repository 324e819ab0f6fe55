// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out schedules on the simulated machine of SimGrid SMPI and prints the time of one call.
//
//   smpi MACHINE PROCESSES DIMENSIONS SHIFTS alltoall|allgather INTS,... WAY,... consecutive|mapped
//
// A line of CSV per way and size, as model.cpp prints it.
#include "scripts/simulation/setting.hpp"

#include <mpi.h>
#include <simgrid/s4u.hpp>
#include <smpi/smpi.h>

#include <cstdio>
#include <cstdlib>
#include <set>

using namespace hopscotch::schedules;
using namespace simulation;

namespace
{

/// The same for all processes: the simulator runs them as threads of one process.
const Setting* setting = nullptr;
Machine simulated;
Way running = Way::direct;

/// The overhead of a message within a node: the library's own, one through shared memory, or a grid that all see at
/// once.
double on_node_overhead(bool sends)
{
    if (is_of_the_library(running))
        return simulated.library_overhead;
    return sends && has_grids(running) ? 0 : simulated.network.node_overhead;
}

/// Every message lies here: the content does not matter.
char* memory = nullptr;

void pass_time(double seconds)
{
    if (seconds > 0)
        simgrid::s4u::this_actor::sleep_for(seconds);
}

class Call
{
  public:
    Call(const Schedule& schedule, Way way, int rank, double block_bytes)
        : schedule_(schedule), way_(way), block_bytes_(block_bytes), rank_(rank)
    {
    }

    void run()
    {
        for (const Phase& phase : schedule_.phases)
            run_phase(phase);
    }

  private:
    bool here(int rank) const
    {
        const std::vector<int>& node = setting->nodes().of_rank;
        return node[static_cast<std::size_t>(rank)] == node[static_cast<std::size_t>(rank_)];
    }
    int bytes(std::size_t blocks) const { return static_cast<int>(static_cast<double>(blocks) * block_bytes_); }
    double copying(int count) const { return count * simulated.network.copy_per_byte; }

    /// Copies before a message can go. Into a grid, with `written` already there, every own block once; then into the
    /// message if it leaves the node.
    int copies_for(const Round& round, std::set<int>& written) const
    {
        const bool leaves = !here(round.destination);
        if (!has_grids(way_))
            return leaves && round.sends.size() == 1 ? 0 : static_cast<int>(round.sends.size());
        int copies = 0;
        for (const Slot& block : round.sends)
            if (block.place == Place::send)
                copies += (written.insert(block.index).second ? 1 : 0) + (leaves ? 1 : 0);
        return copies;
    }

    void run_phase(const Phase& phase)
    {
        std::vector<MPI_Request> receives;
        std::vector<MPI_Request> sends;
        double copies = 0;
        std::set<int> written;
        for (const Round& round : phase.rounds) {
            if (round.source == no_rank)
                continue;
            const int length = bytes(static_cast<std::size_t>(round.arrivals));
            receives.emplace_back();
            MPI_Irecv(memory, length, MPI_BYTE, round.source, 0, MPI_COMM_WORLD, &receives.back());
            if (here(round.source) || (!has_grids(way_) && round.arrivals > 1))
                copies += copying(length);
            else if (has_grids(way_))
                copies += copying(bytes(round.deliveries.size()));
        }
        for (const Round& round : phase.rounds) {
            if (round.destination == no_rank)
                continue;
            const int length = bytes(round.sends.size());
            pass_time(copying(bytes(static_cast<std::size_t>(copies_for(round, written)))));
            sends.emplace_back();
            MPI_Isend(memory, length, MPI_BYTE, round.destination, 0, MPI_COMM_WORLD, &sends.back());
        }
        MPI_Waitall(static_cast<int>(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
        pass_time(copies);
        MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
    }

    const Schedule& schedule_;
    Way way_;
    double block_bytes_;
    int rank_;
};

/// Seconds of the slowest process; all begin at the same time.
double measure(const Schedule& schedule, Way way, int rank, double block_bytes)
{
    running = way;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = simgrid::s4u::Engine::get_clock() + 1;
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    simgrid::s4u::this_actor::sleep_until(start);
    Call(schedule, way, rank, block_bytes).run();
    double seconds = simgrid::s4u::Engine::get_clock() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    if (argc < 9) {
        std::fputs("usage: smpi MACHINE PROCESSES DIMENSIONS SHIFTS alltoall|allgather INTS,... WAY,... "
                   "consecutive|mapped\n",
                   stderr);
        return 2;
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::string operation = argv[5];
    if (rank == 0) {
        simulated = machine(argv[1]);
        setting = new Setting(std::atoi(argv[2]), simulated.processes_per_node, std::atoi(argv[3]), std::atoi(argv[4]),
                              operation == "allgather" ? Blocks::common : Blocks::individual, ranks_of(argv[8]));
        const auto send = [](std::size_t, simgrid::s4u::Host* from, simgrid::s4u::Host* to) {
            return from == to ? on_node_overhead(true) : simulated.network.send_overhead;
        };
        const auto receive = [](std::size_t, simgrid::s4u::Host* from, simgrid::s4u::Host* to) {
            return from == to ? on_node_overhead(false) : simulated.network.receive_overhead;
        };
        smpi_register_op_cost_callback(SmpiOperation::ISEND, send);
        smpi_register_op_cost_callback(SmpiOperation::SEND, send);
        smpi_register_op_cost_callback(SmpiOperation::RECV, receive);
        memory = static_cast<char*>(SMPI_SHARED_MALLOC(std::size_t{1} << 30));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (const std::string& word : words(argv[7])) {
        const Way way = way_of(word);
        if (!setting->possible(way))
            continue;
        const Schedule schedule = setting->schedule(way, rank);
        for (const std::string& ints : words(argv[6])) {
            const double seconds = measure(schedule, way, rank, 4.0 * std::atof(ints.c_str()));
            if (rank == 0) {
                std::printf("seconds,%s,%s,%.9f\n", word.c_str(), ints.c_str(), seconds);
                std::fflush(stdout);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
