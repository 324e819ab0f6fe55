// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads the exchange of a call from its start to its conclusion. Staging buffers, a reference and hooks are steps that
// an operation has or has not.
#include "shim/call/operation.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <utility>

namespace hopscotch::shim
{

void CallDetails::bring()
{
    if (staged != nullptr && !std::exchange(brought, true))
        staged->bring();
}

void end_staging(StagedBuffers& staged, SelectionEntry& entry, bool brought, int code)
{
    if (brought && code == MPI_SUCCESS)
        staged.take_back();
    const StagedBuffers::Copied copied = staged.take_copied();
    if (!counting() || copied.bytes == 0)
        return;
    ++entry.counters.staged_calls;
    entry.counters.staged_bytes += copied.bytes;
    entry.counters.staged_ns += copied.ticks;
}

void Operation::take(std::shared_ptr<StagedBuffers> staged, bool brought, Hooks hooks)
{
    staged_ = std::move(staged);
    brought_ = brought;
    hooks_ = std::move(hooks);
}

void Operation::verify(std::unique_ptr<Verification> verification)
{
    verification_ = std::move(verification);
    if (verification_ != nullptr)
        blocks_.receive = verification_->receive();
}

bool Operation::advance()
{
    if (turn_.finished)
        return settled();
    try {
        if (!turn_.begun) {
            if (!exchange_->acquire())
                return false; // an earlier call uses the exchange
            turn_.begun = true;
            if (hooks_.before_start != nullptr)
                hooks_.before_start();
            exchange_->begin_turn(blocks_.send, blocks_.receive, turn_.number);
        }
        if (!exchange_->advance()) {
            if (call_)
                communicator_->watchdog().look(counters_.call, wait_, [this] { return call_; });
            return false;
        }
        finish(exchange_->error());
    } catch (const MpiError& error) {
        finish(error.code);
    } catch (const NoMemory&) {
        finish(MPI_ERR_NO_MEM);
    }
    return settled();
}

void Operation::finish(int error) noexcept
{
    outcome_ = error;
    exchange_->release();
    turn_.finished = true;
    if (verification_ != nullptr) // the time of the reference does not count
        count_end(exchange_->sent(), error);
}

/// True if the reference is complete too. Then the results are compared.
bool Operation::is_compared()
{
    if (turn_.compared)
        return true;
    try {
        if (!verification_->complete())
            return false;
        turn_.compared = true;
        if (is_wanted())
            verification_->compare(*communicator_, counters_, outcome_, verification_->error_of_reference());
    } catch (const NoMemory&) {
        log(LogLevel::error, "HOPSCOTCH_VERIFY had no memory to compare a call");
    }
    return true;
}

bool Operation::settled()
{
    if (verification_ != nullptr && !is_compared())
        return false;
    if (staged_ != nullptr || hooks_.after_arrival != nullptr)
        conclude();
    if (verification_ == nullptr)
        count_end(exchange_->sent(), outcome_);
    return true;
}

void Operation::conclude()
{
    const int code = outcome_;
    if (code == MPI_SUCCESS)
        outcome_ = MPI_ERR_OTHER; // stays if a function of the program throws: the next look finds it complete
    const int concluded = guarded_by([](int) {},
                                     [&] {
                                         if (staged_ != nullptr)
                                             end_staging(*staged_, counters_, true, code);
                                         const bool goes_on = code == MPI_SUCCESS && hooks_.after_arrival != nullptr;
                                         return goes_on ? hooks_.after_arrival() : MPI_SUCCESS;
                                     });
    outcome_ = code != MPI_SUCCESS ? code : concluded;
}

int BlockingOperation::run()
{
    prepare();
    take_turn();
    wait(*this, yields(), [] {});
    return outcome();
}

void BlockingOperation::count_end(const SentMessages& sent, int code) noexcept
{
    count(entry_, sent, ticks() - begin_, code);
}

int run_operation(Communicator& record, SelectionEntry& entry, Collective collective, std::uint64_t begin,
                  const Layouts& blocks, const std::function<int()>& native, CallDetails* details)
{
    std::shared_ptr<Exchange> exchange(std::shared_ptr<void>(), entry.exchange); // the record keeps it
    if (details != nullptr && details->join != nullptr)
        exchange = details->join(std::move(exchange));
    BlockingOperation operation(&record, entry, std::move(exchange), blocks, begin);
    operation.announce(record.last_call(collective, Completion::blocking, entry.choice.algorithm,
                                        record.block_bytes(blocks.send, blocks.receive)));
    if (details != nullptr) {
        details->bring();
        operation.take(details->staged, details->brought, std::move(details->hooks));
    }
    bool library_calls = false; // and raises its error
    if (runtime().settings.verify)
        operation.verify(verify_call(record, entry, collective, Completion::blocking, blocks, [&] {
            library_calls = true;
            return std::make_shared<LibraryCall>(native);
        }));
    const int ours = operation.run();
    const int theirs = operation.outcome_of_reference();
    if (ours != MPI_SUCCESS && !(library_calls && theirs != MPI_SUCCESS))
        throw MpiError{ours};
    return theirs;
}

} // namespace hopscotch::shim
