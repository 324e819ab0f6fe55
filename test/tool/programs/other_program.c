// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program linked to an MPI library of another family, or statically to none.
#ifdef WITH_OTHER_FAMILY
int other_family(void);
#else
static int other_family(void)
{
    return 0;
}
#endif

int main(void)
{
    return other_family();
}
