# SPDX-License-Identifier: BSD-3-Clause
"""The faults that scripts/mutate makes, one at a time, and the tests of which one has to notice."""

from typing import NamedTuple


class Mutation(NamedTuple):
    file: str
    what: str
    old: str  # occurs once in the file
    new: str
    tests: tuple


UNIT = ("unit",)
REGULAR = ("random_combining_4", "random_merged_2", "random_trivial_3", "random_auto_4")
VARYING = ("varying_combining_4", "varying_merged_2", "varying_trivial_3", "varying_shared_4", "varying_cutoff_4")
REQUESTS = ("nonblocking_combining_4", "nonblocking_auto_4")
MISMATCH = ("mismatch_blocking_merged_4", "mismatch_blocking_combining_4", "mismatch_blocking_shared_4",
            "nodes_mismatch_blocking_4")
NODES = ("nodes_varying_aggregated_2_4", "nodes_regular_aggregated_2_4")
FLATTENING = ("flattening_merged",)
OVERLAPS = ("overlap_random_combining_4", "overlap_random_merged_4")

MUTATIONS = [
    # ---- schedules/
    Mutation("schedules/alltoall.cpp", "the last phase is dropped",
             "for (int k = 0; k < stencil_.dimensions(); ++k)\n            plan_phase(k);",
             "for (int k = 0; k + 1 < stencil_.dimensions(); ++k)\n            plan_phase(k);", UNIT),
    Mutation("schedules/alltoall.cpp", "blocks are delivered before their last step",
             "if (last_[b] == k)", "if (last_[b] >= k)", UNIT),
    Mutation("schedules/alltoall.cpp", "messages come from the wrong side",
             "shifted(neighborhood_.rank, k, -shift)", "shifted(neighborhood_.rank, k, shift)", UNIT),
    Mutation("schedules/allgather.cpp", "blocks beyond a mesh border are sent",
             "leaves = leaves || before.holds(tree_.block(leaf));", "leaves = leaves || before.holds(tree_.block(leaf)) || presence_.holds(tree_.block(leaf));", UNIT),
    Mutation("schedules/allgather.cpp", "all leaves below a node are delivered to the first",
             "round.deliveries.push_back({arrival, target(leaf)});",
             "round.deliveries.push_back({arrival, target(child.begin)});", UNIT),
    Mutation("schedules/allgather.cpp", "of a dimension order only the next edges are counted",
             "remaining[set] = counts.edges(with, k) + remaining[with];", "remaining[set] = counts.edges(with, k);", UNIT),
    Mutation("schedules/direct.cpp", "the order of parallel edges is forgotten", "sort_by(slots, order);", "", UNIT),
    Mutation("schedules/direct.cpp", "the first of parallel edges is sent for all",
             "round.sends.push_back(send_slot(operation, slot));",
             "round.sends.push_back(send_slot(operation, std::min(slot, out.slots.front())));", UNIT),
    Mutation("schedules/direct.cpp", "two slots are swapped",
             "std::sort(places.begin(), places.end());", "std::sort(places.rbegin(), places.rend());", UNIT),
    Mutation("schedules/aggregate.cpp", "nothing is handed on within the node",
             "            hand_on(phase);\n", "", UNIT),
    Mutation("schedules/aggregate.cpp", "blocks go to every position, not to the one that needs them",
             "else if (need->second == own_position_)", "else if (need->second >= own_position_)", UNIT),
    Mutation("schedules/node_plan.cpp", "a block is cut off each part of a message",
             "blocks.size() * (part + 1) / count)", "(blocks.size() * (part + 1) - 1) / count)", UNIT),
    Mutation("schedules/carrying.cpp", "a carrier is not noted as reader: nobody waits for it",
             "                note_reader(spot, message.carrier);\n", "", UNIT),
    Mutation("schedules/carrying.cpp", "runs of different messages are joined",
             "last.message == spot.message && ", "", UNIT),
    Mutation("schedules/message_layout.cpp", "a header's pieces may end behind the payload",
             " || pieces.length > limit - pieces.offset)", ")", UNIT),
    Mutation("schedules/message_layout.cpp", "a header may promise more pieces than its block has bytes",
             "if (!sound(entry, limit) || entry.count > left / entry.length)", "if (!sound(entry, limit))", UNIT),
    Mutation("schedules/message_layout.cpp", "a header may end early", "if (!words.has(blocks))", "if (false)", UNIT),
    Mutation("schedules/overlap.cpp", "what is cut from a repeat keeps its offset",
             "entry.offset += end - entry.begin;", "", UNIT),
    Mutation("schedules/overlap.cpp", "known bytes are looked for one byte too far",
             "part.offset = next->offset + (address - next->begin);", "part.offset = next->offset;", UNIT),
    Mutation("schedules/datatype.cpp", "the first dimension of a subarray always varies slowest",
             "type.last_varies_fastest ? place : d - 1 - place", "type.last_varies_fastest ? place : place", UNIT),
    Mutation("schedules/datatype.cpp", "runs with a gap between them are joined",
             "last.offset + static_cast<std::ptrdiff_t>(last.length) == offset", "last.offset <= offset", UNIT),
    Mutation("schedules/place_table.cpp", "a table may lead beyond its message",
             " || start(blocks_) != length - bytes(blocks_))", ")", UNIT),
    Mutation("schedules/topology.cpp", "steps below zero do not wrap",
             "wrapped < 0 ? wrapped + n : wrapped", "wrapped", UNIT),
    Mutation("schedules/topology.cpp", "half way round goes backwards", "result > n - result", "result >= n - result", UNIT),
    Mutation("schedules/presence.cpp", "blocks enter the mesh where they leave it",
             "(outside(k, -shift) ? 1 : 0) - (outside(k, shift) ? 1 : 0)",
             "(outside(k, shift) ? 1 : 0) - (outside(k, -shift) ? 1 : 0)", UNIT),
    Mutation("schedules/infer.cpp", "sources are not compared",
             "return same_processes(processes(sources), stencil.size(), backward);",
             "return same_processes(processes(sources), stencil.size(), backward) || !sources.empty();", UNIT),
    Mutation("schedules/infer.cpp", "the worst box is chosen",
             "if (rounds_here < rounds_best ||", "if (rounds_here > rounds_best ||", UNIT),
    Mutation("schedules/schedule.cpp", "a slot may be written twice",
             '        require(!written_[slot.index], words(slot) + " is written twice");\n', "", UNIT),
    Mutation("schedules/cost.cpp", "volumes count blocks instead of steps",
             "result += hops(stencil, i);", "result += hops(stencil, i) > 0 ? 1 : 0;", UNIT),

    # ---- shim/, without MPI
    Mutation("shim/settings.cpp", "numbers of bytes may overflow", " || number > SIZE_MAX / unit)", ")", UNIT),
    Mutation("shim/settings.cpp", "a box may have dimensions of size 0", "|| number == 0 ||", "||", UNIT),
    Mutation("shim/settings.cpp", "file names may have line ends, which settings end with on their way to others",
             " && item.find('\\n') == std::string::npos;", ";", UNIT),
    Mutation("shim/json.cpp", "quotation marks are not escaped", "byte == '\"' || byte ==", "byte ==", UNIT),
    Mutation("shim/statistics.cpp", "the shortest time is the longest",
             "min_ = std::min(min_, other.min_);", "min_ = std::max(min_, other.min_);", UNIT),

    # ---- shim/, datatypes and blocks
    Mutation("shim/datatype.cpp", "subarrays of Fortran order are taken for C order",
             "type.last_varies_fastest = starts[d] == MPI_ORDER_C;", "type.last_varies_fastest = starts[d] == starts[d];", FLATTENING),
    Mutation("shim/datatype.cpp", "types with gaps are taken for contiguous",
             "map->runs.size() <= 1 && map->extent == static_cast<MPI_Aint>(map->size)", "map->runs.size() <= 1", REGULAR),
    Mutation("shim/packing.cpp", "columns are packed without their stride",
             "at += block.type->extent;\n        packed += run.length;", "at += run.length;\n        packed += run.length;", REGULAR),
    Mutation("shim/block_layout.cpp", "displacements count bytes of data instead of extents",
             "static_cast<MPI_Aint>(displacements[i]) * map.extent",
             "static_cast<MPI_Aint>(displacements[i]) * static_cast<MPI_Aint>(map.size)", VARYING),
    Mutation("shim/message_writer.cpp", "blocks of the same size are taken for the same arrangement",
             "{2, block.type->id, block.bytes, address - origin}", "{2, block.type->id, block.bytes, 0}", OVERLAPS + VARYING),

    # ---- shim/, exchanges
    Mutation("shim/phased_exchange.cpp", "the second phase is not sent",
             "if (++phase_ < messages_.phases())\n            send_phase();",
             "if (++phase_ < messages_.phases() && phase_ > 1)\n            send_phase();", REGULAR),
    Mutation("shim/messages.cpp", "sent with a tag that nobody expects",
             "rounds_[r]->destination, tag_, sends_[r]", "rounds_[r]->destination, tag_ + 1, sends_[r]",
             ("nodes_varying_aggregated_2_4", "varying_two_nodes_5", "varying_cutoff_4")),
    Mutation("shim/regular_exchange.cpp", "the size of a message is not compared",
             "    else if (messages().bytes(r) != static_cast<std::size_t>(round.arrivals) * block_bytes_)\n        fail(MPI_ERR_TRUNCATE);\n",
             "", MISMATCH),
    Mutation("shim/sized_exchange.cpp", "the sizes in a header are not compared",
             "        if (layout_.blocks[q].bytes != block.bytes)\n            fail(MPI_ERR_TRUNCATE);\n", "", MISMATCH),
    Mutation("shim/sized_exchange.cpp", "the size of a single block is not compared",
             "    if (round.arrivals == 1 && messages().bytes(r) != in_[r].bytes)\n        fail(MPI_ERR_TRUNCATE);\n", "", MISMATCH),
    Mutation("shim/relayed_exchange.cpp", "a sender forgets that its receiver has more room now",
             "        outgoing.capacity = grown(total);\n", "", VARYING),
    Mutation("shim/relayed_exchange.cpp", "nobody waits for the second part of a message",
             " &&\n        !rests_.arrived(phase()))\n        return false;", " && false)\n        return false;", VARYING),
    Mutation("shim/relayed_exchange.cpp", "the sizes in a header are not compared",
             "    if (arrived.bytes != block.bytes)\n        fail(MPI_ERR_TRUNCATE);\n", "", MISMATCH),
    Mutation("shim/direct_blocks.cpp", "large blocks of parallel edges are received in the order of slots",
             "    std::sort(in_.begin(), in_.end(), [](const Transfer& a, const Transfer& b) { return a.order < b.order; });\n",
             "", ("varying_cutoff_2", "varying_cutoff_1", "varying_cutoff_4")),
    Mutation("shim/shared_exchange.cpp", "blocks are read where the reader's list has them, not the writer's",
             "form_ == BufferForm::single ? 0 : edges_.remote_positions[slot]",
             "form_ == BufferForm::single ? 0 : static_cast<int>(slot)", ("varying_shared_4", "random_auto_4")),
    Mutation("shim/shared_exchange.cpp", "nobody waits for the writers",
             "stage_ == Stage::arriving && all_arrived()", "stage_ == Stage::arriving", ("varying_shared_4", "random_auto_4")),
    Mutation("shim/shared_exchange.cpp", "nobody waits for messages from other nodes",
             "if (stage_ != Stage::delivered || !off_node_complete_)", "if (stage_ != Stage::delivered)",
             ("varying_two_nodes_5", "varying_two_nodes_8")),
    Mutation("shim/mailbox.cpp", "nobody waits for the bell",
             "return static_cast<std::int32_t>(rung - expected(phase)) >= 0;", "return rung != 0 || expected(phase) != 0;", VARYING + REGULAR),
    Mutation("shim/mailbox.cpp", "any entry is taken for one's own",
             "if (entry.receiver != own_index_ || entry.offset <", "if (entry.offset <", VARYING + REGULAR),
    Mutation("shim/aggregated_exchange.cpp", "messages leave before their blocks are there",
             "return turn.load(std::memory_order_acquire) == turn_;", "return turn.load(std::memory_order_acquire) <= turn_;", NODES),

    # ---- shim/, the rest
    Mutation("shim/parallel_edges.cpp", "the library's order of parallel edges is not asked for",
             "    graph.edges.source_order = lesson.alltoall();\n", "", ("random_merged_2", "random_combining_4")),
    Mutation("shim/parallel_edges.cpp", "in boxes the standard's order is that of graphs",
             "std::swap(order[slot], order[slot + 1]);", "order[slot] += 0;", ("varying_standard_merged_2", "varying_standard_merged_4")),
    Mutation("shim/request_array.cpp", "requests of the library are put back in the wrong places",
             "handles_[other_indices_[k]] = others_[k];", "handles_[k] = others_[k];", REQUESTS),
    Mutation("shim/request_array.cpp", "indices of the library are handed on as they are",
             "indices[k] = other_indices_[static_cast<std::size_t>(indices[k])];", "indices[k] = indices[k] + 0;", REQUESTS),
    Mutation("shim/requests.cpp", "complete before the twin of VERIFY is",
             "            if (!verification_->complete())\n                return false;\n", "", ("verify_nonblocking_merged_4", "verify_nonblocking_combining_4")),
    Mutation("shim/progress.cpp", "waiting advances nothing else",
             "        progress();\n        exchange.idle(yields);", "        exchange.idle(yields);",
             ("deadlock_combining_4", "nonblocking_combining_4")),
    Mutation("shim/choice.cpp", "what is larger than the cut-off is combined as well",
             "choices.large.algorithm = Algorithm::merged;", "choices.large.algorithm = algorithm;", ("cutoff_large",)),
    Mutation("shim/detection.cpp", "graphs that are not symmetric are taken for symmetric",
             "agreed[unmatched_edges] = kind == MPI_GRAPH && !is_symmetric(comm, graph.edges) ? 1 : 0;",
             "agreed[unmatched_edges] = kind == MPI_GRAPH && graph.ranks < 0 && !is_symmetric(comm, graph.edges) ? 1 : 0;", ("asymmetric",)),
    Mutation("shim/verification.cpp", "differences are not reported",
             "if (const std::optional<Difference> difference = shadow_.difference())",
             "if (const std::optional<Difference> difference = shadow_.difference(); difference && theirs != ours)",
             ("verify_data_blocking_merged",)),
]
