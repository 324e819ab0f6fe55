// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#include "shim/call/nonblocking_call.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

ExchangeRequest::ExchangeRequest(std::shared_ptr<Communicator> communicator, MPI_Comm comm, SelectionEntry& entry,
                                 std::shared_ptr<Exchange> exchange, Layouts layouts, bool persistent)
    : Request(entry, std::move(communicator), comm, persistent), exchange_(std::move(exchange)),
      layouts_(std::move(layouts))
{
}

void ExchangeRequest::finish(int error) noexcept
{
    error_ = error;
    exchange_->release();
    count_call(exchange_->sent(), error);
    finished_ = true;
}

void ExchangeRequest::verify(std::unique_ptr<Verification> verification)
{
    verification_ = std::move(verification);
    if (verification_ != nullptr)
        layouts_.receive = verification_->receive();
}

/// True if the reference is complete too, if there is one.
bool ExchangeRequest::settled()
{
    try {
        if (verification_ != nullptr) {
            if (!verification_->complete())
                return false;
            if (!disowned()) // else its buffers may have changed already
                verification_->compare(*record_, entry_, error_, verification_->error_of_reference());
        }
    } catch (const NoMemory&) {
        log(LogLevel::error, "HOPSCOTCH_VERIFY had no memory to compare a call");
    }
    if (error_ == MPI_SUCCESS && (hooks_.after != nullptr || staged_ != nullptr))
        conclude();
    become_complete();
    return true;
}

void ExchangeRequest::conclude()
{
    error_ = MPI_ERR_OTHER; // stays if a function of the program throws: the next look finds the request complete
    error_ = guarded_by([](int) {},
                        [this] {
                            Staging{staged_.get(), true}.end(entry_, MPI_SUCCESS);
                            return hooks_.after != nullptr ? hooks_.after() : MPI_SUCCESS;
                        });
}

void ExchangeRequest::set_call(const std::optional<NumberedCall>& call)
{
    call_ = call;
    if (call)
        record_->watchdog().remember(*call);
}

bool ExchangeRequest::advance()
{
    if (finished_)
        return settled();
    try {
        if (!begun_) {
            if (!exchange_->acquire())
                return false; // an earlier call uses the exchange
            begun_ = true;
            if (hooks_.before != nullptr)
                hooks_.before();
            exchange_->begin_turn(layouts_.send, layouts_.receive, turn_);
        }
        if (!exchange_->advance()) {
            record_->watchdog().look(entry_.call, wait_, [this] { return call_; });
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

void ExchangeRequest::start()
{
    if (staged_ != nullptr)
        staged_->bring();
    if (verification_ != nullptr)
        verification_->start();
    activate();
    turn_ = exchange_->take_turn();
    begun_ = false;
    finished_ = false;
}

int leave_request_to_library(Call call, Communicator* communicator, const NativeCall& native)
{
    if (communicator != nullptr) {
        SelectionEntry& entry = communicator->selection().passed_entry(call, schedules::reason::left_to_the_library);
        note_native(entry, native, messages_by_library(entry));
        return native.code;
    }
    if (native.is_counted())
        count_unknown(call, native.comm, native.elapsed, native.code != MPI_SUCCESS);
    if (native.code == MPI_SUCCESS)
        follow(unknown_entry(call, native.comm), native, {});
    return native.code;
}

SelectionEntry& entry_of_request(Communicator& communicator, Call call, Collective collective, Completion completion,
                                 const Layouts& blocks)
{
    const bool persistent = completion == Completion::persistent;
    if (persistent)
        communicator.set_up_for_good();
    else
        communicator.note_lasting_use();
    const std::size_t block_bytes = is_regular(collective) ? communicator.block_bytes(blocks.send, blocks.receive) : 0;
    return persistent ? communicator.selection().persistent_entry(call, collective, block_bytes)
                      : communicator.selection().entry(call, collective, completion, {block_bytes, 0});
}

MPI_Request make_request(std::shared_ptr<Communicator> record, MPI_Comm comm, SelectionEntry& entry,
                         Collective collective, Completion completion, Layouts blocks, const MPI_Request& request,
                         std::uint64_t begin, RequestDetails* details)
{
    Communicator& communicator = *record;
    const bool persistent = completion == Completion::persistent;
    communicator.keep(blocks);
    std::unique_ptr<Verification> verification;
    if (details != nullptr && runtime().settings.verify &&
        details->hooks.before == nullptr) { // else the blocks are not there yet
        std::function<int()> native;
        if (details->native != nullptr)
            native = [&] {
                if (details->staged != nullptr && !persistent)
                    details->staged->bring(); // it starts at once
                return details->native(details->staged != nullptr ? details->staged->shifts() : Shifts());
            };
        verification = verify_request(communicator, entry, collective, completion, blocks, request, native);
    }
    const std::size_t block_bytes = communicator.block_bytes(blocks.send, blocks.receive);
    SelectionEntry* used = &entry;
    std::shared_ptr<Exchange> exchange;
    if (persistent) {
        Choice choice = entry.choice;
        exchange = communicator.exchanges().persistent(collective, choice);
        used = &communicator.selection().find_entry(entry.call, choice);
    } else {
        exchange = communicator.exchanges().nonblocking(collective, entry.choice, block_bytes,
                                                        communicator.selection().nonblocking_calls());
    }
    if (details != nullptr && details->join != nullptr)
        exchange = details->join(std::move(exchange));
    if (!communicator.graph().of_sparse_calls()) // those have another function of the library
        note_request(*used, collective, completion, communicator.graph().edges, blocks.send, blocks.receive);
    const auto made = std::make_shared<ExchangeRequest>(std::move(record), comm, *used, std::move(exchange),
                                                        std::move(blocks), persistent);
    made->verify(std::move(verification));
    if (details != nullptr) {
        made->stage(std::move(details->staged));
        made->set_hooks(std::move(details->hooks));
    }
    if (!persistent)
        made->set_call(communicator.last_call(collective, completion, entry.choice.algorithm, block_bytes));
    return give_request(made, begin);
}

namespace
{

class StagedNativeRequest final : public Request
{
  public:
    /// `theirs`: of the library, with the moved buffers; it has begun unless it is persistent. `sent`: at each start.
    StagedNativeRequest(SelectionEntry& entry, std::shared_ptr<Communicator> record, MPI_Comm comm, MPI_Request theirs,
                        Completion completion, std::shared_ptr<StagedBuffers> staged, const SentMessages& sent)
        : Request(entry, std::move(record), comm, completion == Completion::persistent), theirs_(theirs),
          staged_(std::move(staged)), sent_(sent)
    {
    }
    ~StagedNativeRequest() override
    {
        if (theirs_ != MPI_REQUEST_NULL && mpi_goes_on())
            next.MPI_Request_free(&theirs_);
    }

    void start() override
    {
        if (persistent()) {
            staged_->bring();
            check(next.MPI_Start(&theirs_));
        }
        activate();
    }

    bool advance() override
    {
        const auto test = [this](int& flag) {
            const ReturnedErrors returned;
            return next.MPI_Test(&theirs_, &flag, MPI_STATUS_IGNORE);
        };
        int flag = 0;
        error_ = test(flag);
        if (error_ == MPI_SUCCESS && flag == 0)
            return false;
        error_ = guarded_by([](int) {},
                            [this] {
                                Staging{staged_.get(), true}.end(entry_, error_);
                                return error_;
                            });
        count_call(sent_, error_);
        become_complete();
        return true;
    }

    bool yields() const noexcept override { return record_->group() == nullptr || record_->group()->yields(); }
    void idle() override { yields() ? give_way() : relax(); }

  private:
    MPI_Request theirs_;
    std::shared_ptr<StagedBuffers> staged_;
    SentMessages sent_;
};

} // namespace

MPI_Request staged_request(const std::shared_ptr<Communicator>& record, MPI_Comm comm, SelectionEntry& entry,
                           Completion completion, MPI_Request& request, std::uint64_t begin,
                           std::shared_ptr<StagedBuffers> staged, const NativeMoved& native)
{
    if (completion == Completion::nonblocking)
        staged->bring(); // the library's function starts at once
    check(native(staged->shifts()));
    const MPI_Request theirs = std::exchange(request, MPI_REQUEST_NULL);
    const SentMessages sent = sent_by_library(record->graph(), entry, staged->blocks().send);
    return give_request(
        std::make_shared<StagedNativeRequest>(entry, record, comm, theirs, completion, std::move(staged), sent), begin);
}

} // namespace hopscotch::shim
