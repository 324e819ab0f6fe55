# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The completions of shells for the hopscotch command: every option of its help; bash is asked, zsh reads its file."""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from support import PATIENCE, ROOT, TOOL, check, setup
import tables

GENERATE = ROOT / "scripts/tool/completion/generate.py"
PROGRAMS = pathlib.Path("/usr/share/bash-completion/bash_completion")  # completes other programs
ASK = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_LINE=$*
COMP_POINT=${#COMP_LINE}
_hopscotch hopscotch "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def check_options(bash, zsh):
    """The help lists everything, as a user reads it."""
    commands = re.findall(r"^    (\w+) ", setup.tool("--help").stdout.partition("COMMAND")[2], re.MULTILINE)
    check(len(commands) > 7, "commands in the help", commands)
    check(set(commands) <= set(answer(bash, "hopscotch", "")), "bash: commands", answer(bash, "hopscotch", ""))
    for command in commands:
        shown = setup.tool(command, "--help").stdout.partition("\noptions:\n")[2]
        lines = re.findall(r"^  (-.*?)(?:  |$)", shown, re.MULTILINE)
        options = {option for line in lines for option in re.findall(r"(?:^|, )(--?[\w-]+)", line)}
        check(len(options) > 2, f"{command}: options in the help", shown)
        check(options == set(answer(bash, "hopscotch", command, "-")), f"bash: options of {command}",
              f"{options}, {answer(bash, 'hopscotch', command, '-')}")
        part = re.search(rf"^ *\({command}\) (.*?);;$", zsh.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        known = set(re.findall(r"(--?[a-z][a-z-]*)[+=]?[\[,}]", part[1])) if part else set()
        check(options == known, f"zsh: options of {command}", f"{options}, {known}")


def answer(script, *words, folder="."):
    """The completions of bash for the last word of a command line, which may be empty."""
    asked = subprocess.run(["bash", "-c", ASK, "bash", str(script), *words], stdin=subprocess.DEVNULL, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, timeout=PATIENCE, check=False)
    check(asked.returncode == 0, f"bash: {words}", asked.stderr)
    return [line for line in asked.stdout.splitlines() if line]


def check_bash(script, folder):
    for name in ("run.json", "run.txt"):
        (folder / name).touch()
    (folder / "reports").mkdir()
    algorithms = tables.algorithms()
    everything = ["reports", "run.json", "run.txt"]
    for words, expected in (
            ("hopscotch r", ["run", "report"]),
            ("hopscotch --v", ["--version"]),
            ("hopscotch fly -", []),
            ("hopscotch report ", ["reports", "run.json"]),
            ("hopscotch report --html run.j", ["run.json"]),
            ("hopscotch report run.json -o r", everything),
            ("hopscotch map r", ["reports", "run.json"]),
            ("hopscotch map --format ", ["cray", "hydra", "openmpi", "slurm"]),
            ("hopscotch map --format hydra --ho", ["--hosts"]),
            ("hopscotch explain --stencil mo", ["moore", "moore:"]),
            ("hopscotch explain --stencil moore : 2 --di", ["--dims"]),
            ("hopscotch explain --stencil moore ", []),
            ("hopscotch compare -a ", algorithms),
            ("hopscotch compare -a native,a", ["native,aggregated", "native,auto"]),
            ("hopscotch compare --algorithms =", algorithms),
            ("hopscotch compare --algorithms = s", ["shared"]),
            ("hopscotch compare --algorithms = shared --js", ["--json"]),
            ("hopscotch compare -k r", ["reports"]),
            ("hopscotch compare -n ", []),
            ("hopscotch run -r run.", ["run.json", "run.txt"]),
            ("hopscotch run -s HOPSCOTCH_REPORT = off --re", ["--report"]),
            ("hopscotch run -r off ls --re", []),
            ("hopscotch measure --qu", ["--quick"]),
            ("hopscotch measure -o r", ["reports"]),
            ("hopscotch doctor run.j", ["run.json"])):
        found = answer(script, *words.split(" "), folder=folder)
        check(sorted(found) == sorted(expected), f"bash: {words}", f"{found}, not {expected}")
    check("HOPSCOTCH_TRIALS=" in answer(script, str(TOOL), "run", "-s", "HOPSCOTCH_T"), "bash: settings")
    check("env" in answer(script, "hopscotch", "run", "en"), "bash: programs")


def check_other_programs(script, folder):
    """A program's own completion, behind `run` and its like."""
    loaded = folder / "loaded.bash"
    loaded.write_text(f"source {PROGRAMS}\nsource {shlex.quote(str(script))}\n"
                      "complete -W 'stencil stars' mpiexec.own\n", encoding="utf-8")
    for words in ("run mpiexec.own", "run -r off -- mpiexec.own -n 4", "compare -a native -- mpiexec.own",
                  "doctor --no-run mpiexec.own", "selftest mpiexec.own", "measure mpiexec.own"):
        found = answer(loaded, "hopscotch", *words.split(), "st")
        check(found == ["stencil", "stars"], f"bash: {words} st", found)
    check("env" in answer(loaded, "hopscotch", "run", "--", "en"), "bash: programs by bash-completion")


with tempfile.TemporaryDirectory() as scratch:
    bash_file, zsh_file = pathlib.Path(scratch, "hopscotch"), pathlib.Path(scratch, "_hopscotch")
    subprocess.run([sys.executable, str(GENERATE), str(bash_file), str(zsh_file)], check=True, timeout=PATIENCE)
    check_options(bash_file, zsh_file)
    files = pathlib.Path(scratch, "files")
    files.mkdir()
    check_bash(bash_file, files)
    if PROGRAMS.is_file():
        check_other_programs(bash_file, pathlib.Path(scratch))
    else:
        print("skipped: there is no bash-completion (apt-get install bash-completion)")
    functions = zsh_file.read_text(encoding="utf-8")
    used = set(re.findall(r"\b_hopscotch\w*", functions))
    check(used == set(re.findall(r"^(_hopscotch\w*) *\(\)", functions, re.MULTILINE)), "zsh: functions", used)
    if shutil.which("zsh"):
        read = subprocess.run(["zsh", "-n", str(zsh_file)], stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                              check=False)
        check(read.returncode == 0 and not read.stderr, "zsh reads its file", read.stderr)
    else:
        print("skipped: there is no zsh (apt-get install zsh)")
setup.finish()
