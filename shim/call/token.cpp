// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives the program a request of the MPI library for an operation of this library. Every function of the MPI library
// sees it incomplete until the operation is complete.
#include "shim/call/token.hpp"

#include "shim/base/immortal.hpp"
#include "shim/group/own_world.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

namespace
{

int query(void* token, MPI_Status* status)
{
    return static_cast<const Token*>(token)->tell(status);
}

int let_go(void* token)
{
    static_cast<Token*>(token)->let_go();
    return MPI_SUCCESS;
}

/// Collective operations cannot be cancelled.
int cancel(void*, int)
{
    return MPI_ERR_REQUEST;
}

/// The status that the library passes may be no address.
int poll(void* token, MPI_Status*)
{
    static_cast<const Token*>(token)->operation().drive();
    return MPI_SUCCESS;
}

int wait(int count, void** tokens, double, MPI_Status*)
{
    for (int i = 0; i < count; ++i)
        for (const auto* one = static_cast<const Token*>(tokens[i]); !one->is_complete();)
            one->operation().drive();
    return MPI_SUCCESS;
}

/// MPICH's extension.
using StartPolled = int (*)(decltype(&query), decltype(&let_go), decltype(&cancel), decltype(&poll), decltype(&wait),
                            void*, MPI_Request*);

/// Null if the library has none. That of MPICH 5 for the standard ABI has it by one name only.
StartPolled find_start_polled()
{
    void* const found = find_symbol("PMPIX_Grequest_start");
    return reinterpret_cast<StartPolled>(found != nullptr ? found : find_symbol("MPIX_Grequest_start"));
}

int start_generalized(Token* token, MPI_Request* request)
{
    static const auto start_polled = find_start_polled();
    return start_polled != nullptr ? start_polled(query, let_go, cancel, poll, wait, token, request)
                                   : next.MPI_Grequest_start(query, let_go, cancel, token, request);
}

/// Persistent receives that nobody has, with their tags. They are kept: freed and made anew, they let persistent
/// requests of MPICH 4.0.2 hang.
struct TokenReceives {
    std::mutex mutex;
    MPI_Comm comm = MPI_COMM_NULL;
    int last_tag = 0;
    std::vector<std::pair<MPI_Request, int>> unused;
};

Flag persistent_completed; // since the last wake_waiting()
Flag has_receives;         // there have been some

/// Tools count other sends as data.
void send_to_self(int tag) noexcept
{
    next.MPI_Rsend(nullptr, 0, MPI_BYTE, 0, tag, immortal<TokenReceives>().comm);
}

enum class Seen { inactive, incomplete, complete };

/// The state of a persistent receive from this process, by MPI_Request_get_status.
Seen shown(MPI_Request request) noexcept
{
    int flag = 0;
    MPI_Status status;
    next.MPI_Request_get_status(request, &flag, &status);
    return flag == 0 ? Seen::incomplete : status.MPI_SOURCE == MPI_ANY_SOURCE ? Seen::inactive : Seen::complete;
}

/// Looks at a persistent receive with this tag. MPI_Request_get_status of MPICH 5.0 ends a complete one, which the
/// standard forbids: the receive then completes again.
Seen look(MPI_Request& request, int tag) noexcept
{
    const Seen seen = shown(request);
    if (seen != Seen::complete)
        return seen;
    static const bool looking_ends = shown(request) == Seen::inactive;
    if (looking_ends) {
        next.MPI_Start(&request);
        send_to_self(tag);
    }
    return seen;
}

/// If the library has none left, MPI_COMM_SELF is used.
MPI_Comm make_communicator()
{
    const MPI_Comm made = make_alone();
    return made != MPI_COMM_NULL ? made : MPI_COMM_SELF;
}

} // namespace

void set_empty(MPI_Status* status) noexcept
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    next.MPI_Status_set_elements(status, MPI_BYTE, 0);
    next.MPI_Status_set_cancelled(status, 0);
}

Token::Token(Represented& operation, bool persistent) : operation_(operation)
{
    if (!persistent) {
        check(start_generalized(this, &handle_));
        return;
    }
    TokenReceives& all = immortal<TokenReceives>();
    has_receives.set();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (all.comm == MPI_COMM_NULL)
        all.comm = make_communicator();
    if (all.unused.empty()) {
        check(next.MPI_Recv_init(nullptr, 0, MPI_BYTE, 0, all.last_tag + 1, all.comm, &handle_));
        tag_ = ++all.last_tag;
    } else {
        std::tie(handle_, tag_) = all.unused.back();
        all.unused.pop_back();
    }
    if (!runtime().library_drives)
        start();
}

Token::~Token()
{
    if (!persistent()) {
        if (let_go_)
            return;
        let_go_ = true; // the library calls us again
        if (!is_complete())
            complete();
        next.MPI_Wait(&handle_, MPI_STATUS_IGNORE); // MPICH's MPI_Request_free makes progress first
        return;
    }
    if (started_ && !is_complete())
        complete();
    next.MPI_Wait(&handle_, MPI_STATUS_IGNORE);
    TokenReceives& all = immortal<TokenReceives>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.unused.emplace_back(handle_, tag_);
}

/// If the MPI library does not drive progress, a start by another function goes unnoticed: the token is then always
/// started, which turns such a start into an error.
void Token::start()
{
    if (!started_)
        check(next.MPI_Start(&handle_));
    started_ = true;
}

void Token::complete() noexcept
{
    complete_.set();
    if (!persistent()) {
        next.MPI_Grequest_complete(handle_);
        return;
    }
    send_to_self(tag_);
    persistent_completed.set();
}

void Token::end() noexcept
{
    next.MPI_Wait(&handle_, MPI_STATUS_IGNORE);
    started_ = false;
    complete_.set(false);
    if (!runtime().library_drives)
        guarded_by([](int) {}, [this] { return start(), MPI_SUCCESS; });
}

bool Token::was_ended_elsewhere() noexcept
{
    if (!is_complete() || look(handle_, tag_) == Seen::complete)
        return false;
    started_ = false;
    complete_.set(false);
    return true;
}

bool Token::was_started_elsewhere() noexcept
{
    if (started_ || look(handle_, tag_) != Seen::incomplete)
        return false;
    return started_ = true;
}

int Token::tell(MPI_Status* status) const noexcept
{
    set_empty(status);
    return let_go_ ? MPI_SUCCESS : operation_.outcome(); // its error has been raised
}

void Token::let_go() noexcept
{
    if (let_go_)
        return;
    let_go_ = true;
    operation_.end_elsewhere(); // `this` may be gone
}

void wake_waiting() noexcept
{
    if (!persistent_completed.is_set())
        return;
    persistent_completed.set(false);
    const auto no_query = [](void*, MPI_Status*) -> int { return MPI_SUCCESS; };
    const auto no_free = [](void*) -> int { return MPI_SUCCESS; };
    MPI_Request other = MPI_REQUEST_NULL;
    if (next.MPI_Grequest_start(no_query, no_free, cancel, nullptr, &other) != MPI_SUCCESS)
        return;
    next.MPI_Grequest_complete(other);
    next.MPI_Wait(&other, MPI_STATUS_IGNORE);
}

void release_tokens() noexcept
{
    if (!has_receives.is_set())
        return;
    TokenReceives& all = immortal<TokenReceives>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    for (auto& [receive, tag] : all.unused)
        next.MPI_Request_free(&receive);
    all.unused.clear();
    if (all.comm != MPI_COMM_NULL && all.comm != MPI_COMM_SELF)
        next.MPI_Comm_free(&all.comm);
}

} // namespace hopscotch::shim
