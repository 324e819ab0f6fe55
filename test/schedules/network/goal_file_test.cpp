// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// GOAL files: one by its text, others read back and carried out.
#include "schedules/network/goal_file.hpp"

#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"
#include "test/catch.hpp"

#include <regex>
#include <tuple>

using namespace hopscotch::schedules;

namespace
{

Schedule combining_of(const Topology& grid, const Stencil& stencil, int rank)
{
    return combining_alltoall(place(grid, stencil, edges_of(grid, stencil, rank)));
}

/// A simulator without times: an operation is done if those that it requires are, and a receive if its message is sent.
/// The operations that are never done.
std::size_t stuck_operations(const std::string& text)
{
    std::istringstream lines(text);
    std::string head;
    std::getline(lines, head);
    const std::regex rank_line(R"(rank (\d+) \{)");
    const std::regex message(R"((l\d+): (send|recv) (\d+)b (to|from) (\d+) tag (\d+))");
    const std::regex calc(R"((l\d+): calc 0)");
    const std::regex requirement(R"((l\d+) requires (l\d+))");
    using Key = std::pair<int, std::string>;
    struct Operation {
        std::string kind;
        std::tuple<int, int, int, int> message; // from, to, tag, bytes
        std::set<std::string> requires_;
    };
    std::map<Key, Operation> operations;
    int rank = -1;
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (line.empty() || line == "}")
            continue;
        if (std::regex_match(line, found, rank_line)) {
            rank = std::stoi(found[1]);
        } else if (std::regex_match(line, found, message)) {
            const int other = std::stoi(found[5]);
            const bool sends = found[2] == "send";
            REQUIRE((found[4] == "to") == sends);
            operations[{rank, found[1]}] = {
                found[2], {sends ? rank : other, sends ? other : rank, std::stoi(found[6]), std::stoi(found[3])}, {}};
        } else if (std::regex_match(line, found, calc)) {
            operations[{rank, found[1]}] = {"calc", {}, {}};
        } else {
            INFO(line);
            REQUIRE(std::regex_match(line, found, requirement));
            REQUIRE(operations.count({rank, found[2]}) == 1); // a label stands before its use
            operations.at({rank, found[1]}).requires_.insert(found[2]);
        }
    }
    std::multiset<std::tuple<int, int, int, int>> sent;
    std::set<Key> done;
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& [key, operation] : operations) {
            if (done.count(key) != 0)
                continue;
            bool ready = true;
            for (const std::string& label : operation.requires_)
                ready = ready && done.count({key.first, label}) != 0;
            if (ready && operation.kind == "recv") {
                const auto arrived = sent.find(operation.message);
                ready = arrived != sent.end();
                if (ready)
                    sent.erase(arrived);
            }
            if (ready && operation.kind == "send")
                sent.insert(operation.message);
            if (ready)
                done.insert(key);
            moved = moved || ready;
        }
    }
    CHECK(sent.empty());
    return operations.size() - done.size();
}

} // namespace

TEST_CASE("goal file: the text of four processes in a square", "[network]")
{
    const Topology grid({2, 2}, {true, true});
    const Stencil stencil(2, {0, 1, 1, 0, 1, 1}); // the other column, the other row, across
    std::ostringstream text;
    write_goal(text, 1, 8, [&](int rank) { return combining_of(grid, stencil, rank); });
    CHECK(text.str() == "num_ranks 1\n"
                        "\n"
                        "rank 0 {\n"
                        "l1: recv 16b from 2 tag 0\n"
                        "l2: send 16b to 2 tag 0\n"
                        "l3: calc 0\n"
                        "l3 requires l1\n"
                        "l4: recv 16b from 1 tag 1\n"
                        "l5: send 16b to 1 tag 1\n"
                        "l5 requires l3\n"
                        "l6: calc 0\n"
                        "l6 requires l4\n"
                        "l6 requires l3\n"
                        "}\n");
}

TEST_CASE("goal file: every message is sent and received", "[network]")
{
    const Topology grid({3, 4}, {true, false});
    const Stencil stencil = sorted(canonical(moore(2, 1), grid));
    std::ostringstream combined;
    write_goal(combined, grid.size(), 400, [&](int rank) { return combining_of(grid, stencil, rank); });
    CHECK(stuck_operations(combined.str()) == 0);
    std::ostringstream direct;
    write_goal(direct, grid.size(), 400, [&](int rank) { return trivial(edges_of(grid, stencil, rank)); });
    CHECK(stuck_operations(direct.str()) == 0);
}
