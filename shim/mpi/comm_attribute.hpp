// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps values with communicators, as attributes.
#pragma once

#include "shim/mpi/mpi_error.hpp"

#include <atomic>
#include <memory>

namespace hopscotch::shim
{

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
        if (code != MPI_SUCCESS)
            throw Refused{{code}}; // its handler has been called
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
