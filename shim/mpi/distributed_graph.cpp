// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the lists and weights of a distributed graph, and makes a communicator of such.
#include "shim/mpi/distributed_graph.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <dlfcn.h>

namespace hopscotch::shim
{

const int* unweighted() noexcept
{
#if defined(OPEN_MPI) || defined(HOPSCOTCH_STANDARD_ABI)
    return MPI_UNWEIGHTED;
#else
    static const int* const value = [] {
        const void* symbol = dlsym(RTLD_DEFAULT, "MPI_UNWEIGHTED");
        return symbol != nullptr ? *static_cast<const int* const*>(symbol) : nullptr;
    }();
    return value;
#endif
}

WeightedLists weighted_lists(MPI_Comm distributed_graph)
{
    int indegree = 0;
    int outdegree = 0;
    int weighted = 0;
    check(next.Dist_graph_neighbors_count(distributed_graph, &indegree, &outdegree, &weighted));
    const auto s = static_cast<std::size_t>(indegree);
    const auto t = static_cast<std::size_t>(outdegree);
    // One entry more than needed: a null pointer would be taken for MPI_WEIGHTS_EMPTY by some libraries.
    WeightedLists lists;
    lists.weighted = weighted != 0;
    for (std::vector<int>* list : {&lists.sources, &lists.source_weights})
        list->resize(s + 1);
    for (std::vector<int>* list : {&lists.destinations, &lists.destination_weights})
        list->resize(t + 1);
    check(next.Dist_graph_neighbors(distributed_graph, indegree, lists.sources.data(), lists.source_weights.data(),
                                    outdegree, lists.destinations.data(), lists.destination_weights.data()));
    for (std::vector<int>* list : {&lists.sources, &lists.source_weights})
        list->resize(s);
    for (std::vector<int>* list : {&lists.destinations, &lists.destination_weights})
        list->resize(t);
    return lists;
}

MPI_Comm make_distributed_graph(MPI_Comm processes, WeightedLists lists, MPI_Info info)
{
    const int indegree = static_cast<int>(lists.sources.size());
    const int outdegree = static_cast<int>(lists.destinations.size());
    for (std::vector<int>* list :
         {&lists.sources, &lists.source_weights, &lists.destinations, &lists.destination_weights})
        list->push_back(0); // no null pointers
    const int* const source_weights = lists.weighted ? lists.source_weights.data() : unweighted();
    const int* const destination_weights = lists.weighted ? lists.destination_weights.data() : unweighted();
    MPI_Comm made = MPI_COMM_NULL;
    check(next.Dist_graph_create_adjacent(processes, indegree, lists.sources.data(), source_weights, outdegree,
                                          lists.destinations.data(), destination_weights, info, 0, &made));
    return made;
}

} // namespace hopscotch::shim
