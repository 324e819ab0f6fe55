/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Names of the 2020 paper and its published library whose arguments are not those of ours. Constants are those of the
 * published header: orders 1 and 2 where ours are MPI's; the distances are the same.
 */
#include <hopscotch.h>

#include <stddef.h>

enum { published_rowmajor = 1, published_colmajor = 2, no_order = -99 };

_Static_assert(HOP_MANHATTAN_DISTANCE == 1 && HOP_CHEBYCHEV_DISTANCE == 2, "distances as in the published header");
_Static_assert((int)HOP_ROWMAJOR != (int)no_order && (int)HOP_COLMAJOR != (int)no_order, "an order that is none");

int TUW_Cart_name(MPI_Comm comm, int d, int dimorder, const int order[], const int period[], int* size)
{
    const int ours = dimorder == published_rowmajor   ? HOP_ROWMAJOR
                     : dimorder == published_colmajor ? HOP_COLMAJOR
                                                      : no_order;
    return Hop_Cart_name(comm, d, ours, order, period, size);
}

int TUW_Cart_get(MPI_Comm comm, int* dimorder, int maxd, int order[], int period[])
{
    int ours = no_order;
    const int code = Hop_Cart_get(comm, dimorder != NULL ? &ours : NULL, maxd, order, period);
    if (code == MPI_SUCCESS)
        *dimorder = ours == HOP_ROWMAJOR ? published_rowmajor : ours == HOP_COLMAJOR ? published_colmajor : no_order;
    return code;
}

int Cart_name(MPI_Comm comm, int d, int dimorder, const int order[], const int period[], int* size)
{
    return TUW_Cart_name(comm, d, dimorder, order, period, size);
}

int Cart_get(MPI_Comm comm, int* dimorder, int maxd, int order[], int period[])
{
    return TUW_Cart_get(comm, dimorder, maxd, order, period);
}

/* As Listing 4 declares it; a macro in our header, which serves Listing 7 as well. */
int Cart_allranks(MPI_Comm comm, int n, const int coordinates[], int ranks[])
{
    return Hop_Cart_allranks(comm, n, coordinates, ranks);
}

int tuw_isCartesian(MPI_Comm comm, MPI_Comm cart)
{
    int flag = 0;
    return Hop_Comm_is_cartesian(comm, cart, &flag) == MPI_SUCCESS && flag;
}
