# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""when_started.py SIGNAL COMMAND...: sends the signal as soon as there is a file `started`; ends like the command."""

import pathlib
import signal
import subprocess
import sys
import time

number = getattr(signal, "SIG" + sys.argv[1])
signal.signal(number, signal.SIG_DFL) # under nohup and in some batch systems SIGHUP is ignored, and so by children
command = subprocess.Popen(sys.argv[2:])
started = pathlib.Path("started")
while not started.exists() and command.poll() is None:
    time.sleep(0.02)
command.send_signal(number)
ended = command.wait()
started.unlink(missing_ok=True)
sys.exit(ended if ended >= 0 else 128 - ended)
