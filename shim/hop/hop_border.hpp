// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The frame of every Hop_ function: the border to C, refused arguments, values kept with a communicator.
#pragma once

#include "shim/interpose/intercept.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <atomic>
#include <memory>
#include <type_traits>

namespace hopscotch::shim
{

/// Arguments a function does not take: the code is returned, and no error handler is called.
struct Refused : MpiError {
};

/// Throws: Refused unless the condition holds.
inline void demand(bool condition, int code)
{
    if (!condition)
        throw Refused{{code}};
}

/// The body of a Hop_ function: nothing of ours that is thrown leaves it; errors other than refused arguments go
/// through the communicator's error handler. A body without a value succeeds.
template <class Body>
int bordered(MPI_Comm comm, Body&& body, const char* function = __builtin_FUNCTION())
{
    if (!prove_family())
        return MPI_ERR_UNSUPPORTED_OPERATION;
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    int refused = MPI_SUCCESS;
    const int code = guarded(function, comm, [&]() -> int {
        try {
            if constexpr (std::is_void_v<decltype(body())>) {
                body();
                return MPI_SUCCESS;
            } else {
                return static_cast<int>(body());
            }
        } catch (const Refused& error) {
            refused = error.code;
            return MPI_SUCCESS;
        }
    });
    return code != MPI_SUCCESS ? code : refused;
}

/// One value of a kind per communicator, deleted with it. Duplicates get a copy if Value has `std::unique_ptr<Value>
/// copy() const`.
template <class Value>
class CommAttribute
{
  public:
    /// The value, or null. Cost: nanoseconds if the thread asked for the same communicator last.
    static Value* find(MPI_Comm comm)
    {
        struct Recent {
            MPI_Comm comm = MPI_COMM_NULL;
            unsigned generation = 0;
            Value* value = nullptr;
        };
        thread_local Recent recent;
        const unsigned now = generation;
        if (recent.value != nullptr && recent.comm == comm && recent.generation == now)
            return recent.value;
        void* value = nullptr;
        int found = 0;
        const int code = next.MPI_Comm_get_attr(comm, keyval(), &value, &found);
        demand(code == MPI_SUCCESS, code); // its handler has been called
        if (found == 0)
            return nullptr;
        recent = {comm, now, static_cast<Value*>(value)};
        return recent.value;
    }

    /// Replaces an earlier value.
    static Value& set(MPI_Comm comm, std::unique_ptr<Value> value)
    {
        ++generation;
        check(next.MPI_Comm_set_attr(comm, keyval(), value.get()));
        return *value.release(); // remove() deletes it
    }

  private:
    static int remove(MPI_Comm, int, void* value, void*) noexcept
    {
        ++generation;
        delete static_cast<Value*>(value);
        return MPI_SUCCESS;
    }

    template <class Copied>
    static auto duplicate(const Copied& value, int) -> decltype(value.copy())
    {
        return value.copy();
    }
    template <class Copied>
    static std::unique_ptr<Copied> duplicate(const Copied&, long)
    {
        return nullptr;
    }

    static int copy(MPI_Comm, int, void*, void* value, void* copied, int* flag) noexcept
    {
        *flag = 0;
        try {
            std::unique_ptr<Value> made = duplicate(*static_cast<const Value*>(value), 0);
            if (made != nullptr) {
                *static_cast<void**>(copied) = made.release();
                *flag = 1;
            }
            return MPI_SUCCESS;
        } catch (const NoMemory&) {
            return MPI_ERR_NO_MEM;
        } catch (const MpiError& error) {
            return error.code;
        }
    }

    static int keyval()
    {
        static const int key = [] {
            int created = MPI_KEYVAL_INVALID;
            check(next.MPI_Comm_create_keyval(copy, remove, &created, nullptr));
            return created;
        }();
        return key;
    }

    inline static std::atomic<unsigned> generation{0};
};

} // namespace hopscotch::shim
