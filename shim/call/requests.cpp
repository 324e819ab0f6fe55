// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the nonblocking and persistent operations in the program's hands again by their MPI_Request.
#include "shim/call/requests.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/base/log.hpp"
#include "shim/call/carry.hpp"
#include "shim/call/counting.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <mutex>

namespace hopscotch::shim
{

namespace
{

/// Handles that nobody has.
struct Tokens {
    std::mutex mutex;
    std::vector<MPI_Request> unused;
};

MPI_Request make_token()
{
    Tokens& all = immortal<Tokens>();
    {
        const std::lock_guard<std::mutex> lock(all.mutex);
        if (!all.unused.empty()) {
            const MPI_Request token = all.unused.back();
            all.unused.pop_back();
            return token;
        }
    }
    MPI_Request token = MPI_REQUEST_NULL;
    check(next.Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &token));
    return token;
}

} // namespace

Request::Request(SelectionEntry& entry, bool persistent)
    : TimedOperation(entry), token_(make_token()), persistent_(persistent)
{
}

Request::~Request()
{
    Tokens& all = immortal<Tokens>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.unused.push_back(token_);
}

ExchangeRequest::ExchangeRequest(std::shared_ptr<Communicator> communicator, MPI_Comm comm, SelectionEntry& entry,
                                 std::shared_ptr<Exchange> exchange, Layouts layouts, bool persistent)
    : Request(entry, persistent), communicator_(std::move(communicator)), comm_(comm), exchange_(std::move(exchange)),
      layouts_(std::move(layouts))
{
}

/// The outcome of an exchange that ended so, with what is done at the end.
int ExchangeRequest::concluded(int error) noexcept
{
    if (error != MPI_SUCCESS || conclusion_ == nullptr)
        return error;
    return guarded_by([](int) {}, conclusion_);
}

void ExchangeRequest::finish(int error) noexcept
{
    error_ = error;
    exchange_->release();
    if (counting()) {
        count_completed(entry_, *exchange_, 0, error);
        if (site_ != nullptr)
            count_site(entry_, *site_, 1, 0);
    }
    finished_ = true;
}

int raise_later(Communicator* record, MPI_Comm comm, int code) noexcept
{
    if (code == MPI_SUCCESS)
        return code;
    if (record != nullptr && record->is_freed())
        record->raise_after_free(code);
    else
        next.Comm_call_errhandler(record != nullptr ? comm : MPI_COMM_WORLD, code);
    return code;
}

int ExchangeRequest::raise(int code) const noexcept
{
    return raise_later(communicator_.get(), comm_, code);
}

void ExchangeRequest::verify(std::unique_ptr<Verification> verification)
{
    verification_ = std::move(verification);
    if (verification_ != nullptr)
        layouts_.receive = verification_->receive();
}

/// Whether the reference is complete too, if there is one.
bool ExchangeRequest::settled()
{
    try {
        if (verification_ != nullptr) {
            if (!verification_->complete())
                return false;
            if (!disowned_)
                verification_->compare(*communicator_, entry_, error_, verification_->error_of_reference());
        }
    } catch (const std::exception&) {
        log(LogLevel::error, "HOPSCOTCH_VERIFY had no memory to compare a call");
    }
    error_ = concluded(error_);
    become_complete();
    return true;
}

void ExchangeRequest::set_call(const NumberedCall& call)
{
    waiting_ = WaitingCall{call};
    communicator_->watchdog().remember(call);
}

void ExchangeRequest::begin()
{
    begun_ = true;
    if (preparation_ != nullptr)
        preparation_();
    exchange_->begin_turn(layouts_.send, layouts_.receive, turn_);
}

/// After a fruitless look at the exchange.
void ExchangeRequest::look()
{
    if (waiting_ && ++looks_ % looks_per_question == 0)
        look_for_mismatch(*communicator_, entry_.call, *waiting_);
}

bool ExchangeRequest::advance()
{
    if (finished_)
        return settled();
    try {
        if (!begun_) {
            if (!exchange_->acquire())
                return false; // an earlier call uses the exchange
            begin();
        }
        if (!exchange_->advance()) {
            look();
            return false;
        }
        finish(exchange_->error());
    } catch (const MpiError& error) {
        finish(error.code);
    } catch (const std::bad_alloc&) {
        finish(MPI_ERR_NO_MEM);
    }
    return settled();
}

void ExchangeRequest::start()
{
    if (verification_ != nullptr)
        verification_->start();
    activate();
    turn_ = exchange_->take_turn();
    begun_ = false;
    finished_ = false;
}

void drain()
{
    constexpr double most_seconds = 2.0;
    Patience patience;
    while (anything_in_flight() && patience.spent() < most_seconds) {
        progress();
        give_way();
    }
    Tokens& all = immortal<Tokens>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    for (MPI_Request& token : all.unused)
        next.Request_free(&token);
    all.unused.clear();
}

} // namespace hopscotch::shim
