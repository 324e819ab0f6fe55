// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps values with communicators, as attributes, and in a table by handle.
#pragma once

#include "shim/base/immortal.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace hopscotch::shim
{

/// One value of a kind per communicator, deleted with it. Duplicates get a copy if Value has `std::unique_ptr<Value>
/// copy() const`.
template <class Value>
class CommAttribute
{
  public:
    /// The value that set() or find() has had for this handle, or null. MPI is not asked for the attribute of any
    /// handle that a program passes, since it would raise an error for a wrong one. Cost: nanoseconds if the thread
    /// asked for the same communicator last.
    static Value* find_listed(MPI_Comm comm)
    {
        thread_local Recent recent{};
        if (recent.value != nullptr && recent.comm == comm && recent.generation == generation)
            return recent.value;
        return look_up(comm, recent);
    }

    /// The value, that of a duplicate included, or null. Throws: Refused for a handle that is no communicator.
    static Value* find(MPI_Comm comm)
    {
        if (Value* const listed = find_listed(comm))
            return listed;
        void* value = nullptr;
        int found = 0;
        const int code = next.MPI_Comm_get_attr(comm, keyval(), &value, &found);
        if (code != MPI_SUCCESS)
            throw Refused{{code}}; // its handler has been called
        return found != 0 ? &list(comm, static_cast<Value*>(value)) : nullptr;
    }

    /// Replaces an earlier value.
    static Value& set(MPI_Comm comm, std::unique_ptr<Value> value)
    {
        check(next.MPI_Comm_set_attr(comm, keyval(), value.get()));
        return list(comm, value.release()); // remove() deletes it
    }

    /// Calls `look` with all listed values, under a lock.
    template <class Look>
    static void for_each(Look&& look)
    {
        const LockAmongThreads lock(immortal<Table>().mutex);
        for (const auto& [handle, value] : immortal<Table>().by_handle)
            look(*value);
    }

  private:
    struct Recent {
        MPI_Comm comm;
        unsigned generation;
        Value* value;
    };

    struct Table {
        std::mutex mutex;
        std::unordered_map<std::uintptr_t, Value*> by_handle;
    };

    [[gnu::noinline]] static Value* look_up(MPI_Comm comm, Recent& recent)
    {
        const unsigned now = generation;
        Table& all = immortal<Table>();
        const LockAmongThreads lock(all.mutex);
        const auto listed = all.by_handle.find(number_of(comm));
        recent = {comm, now, listed != all.by_handle.end() ? listed->second : nullptr};
        return recent.value;
    }

    static Value& list(MPI_Comm comm, Value* value)
    {
        Table& all = immortal<Table>();
        const LockAmongThreads lock(all.mutex);
        return *(all.by_handle[number_of(comm)] = value);
    }

    static int remove(MPI_Comm comm, int, void* value, void*)
    {
        ++generation;
        {
            Table& all = immortal<Table>();
            const LockAmongThreads lock(all.mutex);
            all.by_handle.erase(number_of(comm));
        }
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

    /// Raised whenever a value goes, so that no thread trusts the handle it looked up before.
    inline static std::atomic<unsigned> generation{0};
};

} // namespace hopscotch::shim
