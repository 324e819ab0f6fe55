// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim: an MPI library that says it speaks the standard ABI of MPI 5.0.
int PMPI_Abi_get_version(int* major, int* minor);
int PMPI_Abi_get_version(int* major, int* minor)
{
    *major = 1;
    *minor = 0;
    return 0;
}
