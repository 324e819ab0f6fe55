# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the report with a program's own account of its calls: account.py REPORT OUTPUT

The account are lines of the output, "account: MAKER FUNCTION member=number ...": the sums over all graphs that MAKER
has made. * is any. A library behind the shim has counted messages and bytes; those of the MPI library's calls are not
visible there.
"""

import json
import re
import sys

DIRECT = {"merged", "trivial", "shared", "native"}  # no block travels twice
LEFT = "arguments left to the MPI library"
LINE = re.compile(r"^account: (\S+) (\S+)((?: \w+=\d+)*)$", re.MULTILINE)


def read(printed):
    """{(maker, function): {member: number}}"""
    return {(maker, function): {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", members)}
            for maker, function, members in LINE.findall(printed)}


def total(operations, member):
    return sum(operation[member] for operation in operations)


def of_own(operations):
    return [operation for operation in operations if operation["algorithm"] != "native"]


def payload_fits(operations, wanted):
    got = total(operations, "payload_bytes") + total(operations, "bytes_saved")
    algorithms = {operation["algorithm"].split()[0] for operation in operations}
    if "aggregated" in algorithms:  # one block for all processes of a node
        return True
    return got == wanted if algorithms <= DIRECT else got >= wanted


def key_errors(operations, account, tries):
    """(member, the report's number, the wanted one) of all that differ."""
    got = {name: total(operations, name) for name in ("calls", "process_calls", "messages_trivial")}
    left = [each for each in operations if (each["reason"] or "").startswith(LEFT)]
    got["left"] = total(left, "process_calls")
    others = [each for each in operations if each["algorithm"] == "native" and each not in left]
    if others:  # calls that are native anyhow are not looked at
        got["left"] = max(got["left"], min(account.get("left", 0), got["left"] + total(others, "process_calls")))
    got.update({name: total(of_own(operations), name) for name in ("messages", "bytes")})
    for name, wanted in account.items():
        if name in ("messages", "bytes") and tries:  # those of trials and of VERIFY's references are counted nowhere
            wanted = min(got[name], wanted)
        if name in got and got[name] != wanted:
            yield name, got[name], wanted
    failed = total(operations, "failed")
    if not account.get("failed_least", 0) <= failed <= account.get("failed_most", failed):
        yield "failed", failed, f"{account['failed_least']} to {account['failed_most']}"
    if "payload_bytes" in account and not payload_fits(operations, account["payload_bytes"]):
        yield "payload_bytes", total(operations, "payload_bytes"), account["payload_bytes"]


def operation_errors(operation, verified):
    """Members that follow from others."""
    name = f"{operation['function']} {operation['algorithm']}"
    own = operation["algorithm"] != "native"
    if operation["calls"] > 0 and not own and operation["messages"] != operation["messages_trivial"]:
        yield f"{name}: {operation['messages']} messages of the library, not {operation['messages_trivial']}"
    if not own and operation["bytes"] != operation["payload_bytes"]:
        yield f"{name}: {operation['bytes']} bytes of the library, but {operation['payload_bytes']} of blocks"
    blocking = not re.search(r"^MPI_I[a-z]|_init(_c)?$", operation["function"])
    timed = total(operation["durations"], "calls")
    if timed != (operation["process_calls"] if blocking and operation["block_sizes"] else 0):
        yield f"{name}: durations of {timed} calls, not {operation['process_calls']}"
    wanted = operation["calls"] if own and verified else 0
    if operation["compared"] != wanted and not operation["failed"]:
        yield f"{name}: {operation['compared']} calls compared, not {wanted}"
    if not 0 < operation["time_s"]["max"] < 1e6:
        yield f"{name}: {operation['calls']} calls took {operation['time_s']['max']} s"
    if operation["differences"]:
        yield f"{name}: {operation['differences']} differences"


def errors(report, printed):
    """All differences, as sentences."""
    account = read(printed)
    if not account:
        return ["the program printed no account"]
    found = []
    settings = report["settings"]
    algorithm = settings.get("HOPSCOTCH_ALGORITHM", "auto")  # for all operations, or for some
    tries = settings.get("HOPSCOTCH_VERIFY") == "on" or (
        (algorithm == "auto" or "=" in algorithm) and settings.get("HOPSCOTCH_TRIALS") != "off")
    for (maker, function), wanted in account.items():
        graphs = [graph for graph in report["graphs"] if maker in ("*", graph["created_by"])]
        if "graphs" in wanted and total(graphs, "graphs") != wanted["graphs"]:
            found.append(f"{maker}: {total(graphs, 'graphs')} graphs, not {wanted['graphs']}")
        operations = [each for graph in graphs for each in graph["operations"] if function in ("*", each["function"])]
        found += [f"{maker}, {function}: {member} {got}, not {right}"
                  for member, got, right in key_errors(operations, wanted, tries)]
    makers = {maker for maker, _ in account}
    verified = report["settings"].get("HOPSCOTCH_VERIFY") == "on"
    for graph in report["graphs"]:
        for operation in graph["operations"]:
            maker = graph["created_by"]
            if maker in makers and not {(maker, operation["function"]), ("*", operation["function"])} & set(account):
                found.append(f"{maker}, {operation['function']}: {operation['calls']} calls that nobody made")
            if makers != {"*"}:
                found += [f"{maker}, {error}" for error in operation_errors(operation, verified)]
    return found


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file, open(sys.argv[2], encoding="utf-8") as output:
        wrong = errors(json.load(file), output.read())
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)
