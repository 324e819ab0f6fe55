# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""mpiexec and srun for the commands of the pages: starts at most two processes with the launcher of this build."""

import os
import sys


def main():
    words = sys.argv[1:]
    ranks = 1
    options = []
    settings = []
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option == "-n":
            ranks = min(int(words.pop(0)), 2)
        elif option == "-genv":
            options += [option, words.pop(0), words.pop(0)]
        elif option.startswith("--export=ALL,"):
            settings.append(option.partition(",")[2])
        else:
            sys.exit(f"{sys.argv[0]}: {option} is not known here")
    launcher = os.environ["MPIEXEC_OF_THE_TEST"]
    environment = ["env", *settings] if settings else []
    os.execv(launcher, [launcher, "-n", str(ranks), *options, *environment, *words])


if __name__ == "__main__":
    main()
