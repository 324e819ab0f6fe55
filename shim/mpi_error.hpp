// MPI error codes as exceptions inside the shim; the wrappers turn them back into codes.
#pragma once

#include "shim/next.hpp"

namespace hopscotch::shim
{

/// An MPI call of ours failed, or the user's buffers do not fit what arrived.
struct MpiError {
    int code;
};

/// Throws: MpiError unless code is MPI_SUCCESS.
inline void check(int code)
{
    if (code != MPI_SUCCESS)
        throw MpiError{code};
}

} // namespace hopscotch::shim
