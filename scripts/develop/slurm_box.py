# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of one machine, with daemons and files of its own, for tests: `with SlurmBox(folder) as environment: ...`.

Needs root, and Debian's slurm-wlm and munge.
"""

import contextlib
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import time

NEEDED = ("munged", "slurmctld", "slurmd", "srun", "sbatch")
CORES = 4  # on any machine

CONFIGURATION = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TaskProlog={folder}/task_prolog
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=5
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} Boards=1 SocketsPerBoard=1 CoresPerSocket={cores} ThreadsPerCore=1 \
RealMemory=16000 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE DefMemPerCPU=500 OverSubscribe=FORCE:4 State=UP
"""


def missing():
    """The programs that are needed and not there."""
    return [name for name in NEEDED if shutil.which(name) is None]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class NotReady(Exception):
    """The daemons do not come up."""


class SlurmBox:
    """Daemons that end with the block. `task_prolog`: the text of a script that Slurm runs before each task."""

    def __init__(self, folder, task_prolog="#!/bin/sh\n"):
        self.folder = pathlib.Path(folder)
        self.task_prolog = task_prolog
        self.daemons = []

    def start(self, *words, environment=None):
        log = (self.folder / f"{words[0]}.out").open("w", encoding="utf-8")
        with log:
            self.daemons.append(subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=log, start_new_session=True))

    def write_files(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        (self.folder / "task_prolog").write_text(self.task_prolog, encoding="utf-8")
        (self.folder / "task_prolog").chmod(0o755)
        host = socket.gethostname().split(".", maxsplit=1)[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=host, port=free_port(), node_port=free_port(), folder=self.folder, cores=CORES), encoding="utf-8")

    def __enter__(self):
        self.write_files()
        environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        place = {name: f"--{name}={self.folder}/munge.{name.split('-')[0]}"
                 for name in ("socket", "key-file", "pid-file", "log-file", "seed-file")}
        try:
            self.start("munged", "--foreground", "--force", *place.values())
            self.start("slurmctld", "-D", environment=environment)
            self.start("slurmd", "-D", environment=environment)
            for _ in range(60):
                shown = subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True, check=False).stdout
                if shown.strip() == "idle":
                    return environment
                time.sleep(0.5)
            raise NotReady(f"no node became idle; {self.folder} has what the daemons say")
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                daemon.wait(timeout=10)
            if daemon.poll() is None:
                daemon.kill()
                daemon.wait()
