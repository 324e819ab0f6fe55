// The life of a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#include "shim/nonblocking_call.hpp"

namespace hopscotch::shim
{

int note_passed(Call call, Communicator* known, const NativeCall& native)
{
    if (known != nullptr) {
        note_native(known->passed_way(call, left_to_the_library), native, 0);
        return native.code;
    }
    if (native.is_counted())
        count_unknown(call, native.comm, native.elapsed, native.code != MPI_SUCCESS);
    if (native.code == MPI_SUCCESS)
        follow(unknown_way(call, native.comm), native, 0);
    return native.code;
}

MPI_Request start_request(MPI_Comm comm, Way& way, Collective collective, std::size_t block_bytes, Layouts layouts,
                          std::unique_ptr<Verification> verification, std::uint64_t begin)
{
    std::shared_ptr<Communicator> communicator = share_communicator(comm);
    std::shared_ptr<Exchange> exchange = communicator->next_lane(collective, way.choice, block_bytes);
    const auto call = communicator->last_call(collective, Completion::nonblocking, way.choice.algorithm, block_bytes);
    auto request =
        std::make_shared<Request>(std::move(communicator), comm, way, std::move(exchange), std::move(layouts), false);
    request->verify(std::move(verification));
    if (call)
        request->set_call(*call);
    const MPI_Request handle = hand_out(request);
    request->start();
    enlist(request);
    progress();
    request->add_ticks(ticks() - begin);
    return handle;
}

MPI_Request make_persistent_request(MPI_Comm comm, Way& way, Collective collective, Layouts layouts,
                                    std::unique_ptr<Verification> verification)
{
    std::shared_ptr<Communicator> communicator = share_communicator(comm);
    Choice choice = way.choice;
    std::shared_ptr<Exchange> exchange = communicator->persistent_exchange(collective, choice);
    Way& used = communicator->find_way(way.call, collective, Completion::persistent, choice);
    auto request =
        std::make_shared<Request>(std::move(communicator), comm, used, std::move(exchange), std::move(layouts), true);
    request->verify(std::move(verification));
    return hand_out(std::move(request));
}

} // namespace hopscotch::shim
