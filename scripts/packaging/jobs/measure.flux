#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
# Measures Hopscotch under Flux: flux batch -N 4 -n 256 measure.flux
# MINUTES (20) is the time for all of it, PROCESSES how many there are (default: one for each core).
# flux: --job-name=hopscotch
# flux: --time-limit=30m
# flux: --exclusive
set -eu
exec hopscotch measure -t "${MINUTES:-20}" -o "hopscotch-$(flux getattr jobid)" -- \
    flux run -n "${PROCESSES:-$(flux resource list --states=all --no-header --format='{ncores}')}"
