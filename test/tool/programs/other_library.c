// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for an MPI library of another family: only its name matters.
int other_family(void);

int other_family(void)
{
    return 0;
}
