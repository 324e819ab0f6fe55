// The life of a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#pragma once

#include "shim/requests.hpp"
#include "shim/timed_requests.hpp"
#include "shim/verification.hpp"

namespace hopscotch::shim
{

/// Starts a nonblocking call, begun at time stamp `begin`, and hands out its request. `block_bytes`: of a regular call.
/// Throws: MpiError, std::bad_alloc.
MPI_Request start_request(MPI_Comm comm, Way& way, Collective collective, std::size_t block_bytes, Layouts layouts,
                          std::unique_ptr<Verification> verification, std::uint64_t begin);

/// Prepares a persistent call and hands out its inactive request. Throws: MpiError, std::bad_alloc.
MPI_Request make_persistent_request(MPI_Comm comm, Way& way, Collective collective, Layouts layouts,
                                    std::unique_ptr<Verification> verification);

/// Counts a call whose arguments were left to the library, on a communicator with a record or, if null, without, and
/// follows its request. Returns its code. Throws: MpiError, std::bad_alloc.
int note_passed(Call call, Communicator* known, const NativeCall& native);

/// A nonblocking (completion nonblocking) or persistent call; parameters as those of neighborhood_call.
template <class MakeLayouts, class Native>
int request_call(Call call, Collective collective, Completion completion, MPI_Comm comm, MPI_Request* request,
                 bool for_the_library, MakeLayouts&& layouts, Native&& native) noexcept
{
    if (!runtime().active)
        return native();
    Communicator* const known = find_communicator(comm);
    const std::uint64_t begin = ticks();
    const auto timed = [&] {
        const int code = native();
        return NativeCall{completion, comm, request, ticks() - begin, code};
    };
    const auto pass = [&] {
        const NativeCall passed = timed();
        return guarded(comm, [&] { return note_passed(call, known, passed); });
    };
    if (known == nullptr || for_the_library || request == nullptr)
        return pass();
    return guarded_or(comm, pass, [&] {
        if (Way* const passing = known->passing_way(call)) {
            const NativeCall passed = timed();
            note_native(*passing, passed, passed_block_bytes(*passing, layouts, passed.code));
            return passed.code;
        }
        Layouts blocks = layouts(known->graph());
        if (completion == Completion::persistent)
            known->set_up();
        const std::size_t block_bytes = known->block_bytes(blocks.send, blocks.receive);
        const std::size_t regular_bytes = is_regular(collective) ? block_bytes : 0;
        Way& way = completion == Completion::persistent ? known->persistent_way(call, collective, regular_bytes)
                                                        : known->way(call, collective, completion, regular_bytes);
        if (way.choice.algorithm == Algorithm::native) {
            const NativeCall passed = timed();
            note_native(way, passed, block_bytes);
            return passed.code;
        }
        blocks.send.keep();
        blocks.receive.keep();
        std::unique_ptr<Verification> verification;
        if (runtime().settings.verify)
            verification = verify_request(*known, way, collective, completion, blocks, *request, native);
        *request =
            completion == Completion::nonblocking
                ? start_request(comm, way, collective, block_bytes, std::move(blocks), std::move(verification), begin)
                : make_persistent_request(comm, way, collective, std::move(blocks), std::move(verification));
        return MPI_SUCCESS;
    });
}

} // namespace hopscotch::shim
