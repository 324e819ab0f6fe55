// What happens when the program has made a communicator with a topology, or a duplicate of one.
#include "shim/adoption.hpp"

#include "shim/callsite.hpp"
#include "shim/clock.hpp"
#include "shim/communicator.hpp"
#include "shim/lifecycle.hpp"
#include "shim/log.hpp"
#include "shim/mpi_error.hpp"

namespace hopscotch::shim
{

namespace
{

constexpr int most_frames = 16;

/// Makes a communicator return errors while the shim works on it, then gives it its handler back.
class ReturningErrors
{
  public:
    explicit ReturningErrors(MPI_Comm comm) : comm_(comm)
    {
        check(next.Comm_get_errhandler(comm, &handler_));
        check(next.Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    }
    ReturningErrors(const ReturningErrors&) = delete;
    ReturningErrors& operator=(const ReturningErrors&) = delete;
    ~ReturningErrors()
    {
        next.Comm_set_errhandler(comm_, handler_);
        next.Errhandler_free(&handler_);
    }

  private:
    MPI_Comm comm_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// The value of an info key; none when it is not set.
std::optional<std::string> info_value(MPI_Info info, const char* key)
{
    char value[256] = {};
    int found = 0;
    if (info != MPI_INFO_NULL)
        check(next.Info_get(info, key, static_cast<int>(sizeof value) - 1, value, &found));
    return found != 0 ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<Algorithms> algorithms_for(MPI_Info info)
{
    const std::optional<std::string> text = info_value(info, "hopscotch_algorithm");
    if (!text.has_value())
        return std::nullopt;
    const std::optional<Algorithms> algorithms = parse_algorithms(*text);
    if (!algorithms.has_value())
        log(LogLevel::warn, "info key hopscotch_algorithm has the value '" + *text + "', which is no algorithm");
    return algorithms;
}

std::vector<Candidate> hints_for(MPI_Comm comm, MPI_Info info)
{
    int size = 0;
    check(next.Comm_size(comm, &size));
    std::vector<Candidate> hints;
    const std::optional<std::string> text = info_value(info, "hopscotch_dims");
    const std::optional<Box> box = text.has_value() ? parse_box(*text) : std::nullopt;
    if (box.has_value())
        hints.push_back({schedules::Topology(box->dims, box->periodic), "hint"});
    const std::vector<Candidate> recorded = recorded_boxes(size);
    hints.insert(hints.end(), recorded.begin(), recorded.end());
    return hints;
}

constexpr const char not_looked_at[] = "a process could not look at the communicator, perhaps for lack of memory";

/// What the others wait for, where this process has failed alone.
void leave(const Together& together, Stage stage)
{
    if (stage != Stage::alone)
        return;
    give_up(together);
    pass_over(together.communicator(), not_looked_at);
}

/// `make_origin()` gives the Origin, with that parent.
template <class MakeOrigin>
void attach(MPI_Comm comm, MPI_Comm parent, MakeOrigin&& make_origin)
{
    const std::uint64_t begin = ticks();
    const ReturningErrors quiet(comm);
    const Together together(comm, find_board(comm, parent));
    if (!together.has_board() && !is_within_world(comm))
        return pass_over(comm, "some of its processes are not in the same MPI_COMM_WORLD and may be without Hopscotch");
    Stage stage = Stage::alone;
    try {
        const Origin origin = make_origin();
        Detected detected = detect(together, origin, runtime().settings, runtime().settings_hash, stage);
        if (detected.given_up)
            return pass_over(comm, not_looked_at);
        auto record = std::make_shared<Communicator>(std::move(detected), runtime().settings, seconds(ticks() - begin));
        attach_communicator(comm, std::move(record));
    } catch (const std::bad_alloc&) {
        if (stage == Stage::together)
            end_without_memory("prepare a communicator");
        leave(together, stage);
        throw;
    } catch (...) {
        leave(together, stage);
        throw;
    }
}

std::vector<void*> call_site()
{
    return runtime().settings.callsites == Callsites::off ? std::vector<void*>{} : capture_stack(most_frames);
}

template <class Body>
void quietly(Body&& body) noexcept
{
    try {
        body();
    } catch (const MpiError& error) {
        log(LogLevel::warn, "a communicator could not be looked at (MPI error " + std::to_string(error.code) + ")");
    } catch (const std::exception& error) {
        log(LogLevel::warn, std::string("a communicator could not be looked at: ") + error.what());
    }
}

} // namespace

void adopt(Call created_by, MPI_Comm comm, MPI_Comm parent, MPI_Info info) noexcept
{
    if (!runtime().active || comm == MPI_COMM_NULL)
        return;
    quietly([&] {
        attach(comm, parent, [&] {
            return Origin{created_by, parent, hints_for(comm, info), call_site(), algorithms_for(info), nullptr};
        });
    });
}

void adopt_duplicate(Call created_by, MPI_Comm comm, MPI_Comm original) noexcept
{
    if (!runtime().active || comm == MPI_COMM_NULL)
        return;
    const Communicator* known = find_communicator(original);
    if (known == nullptr)
        return;
    quietly([&] {
        attach(comm, original, [&] {
            return Origin{created_by, original, {}, call_site(), known->graph().algorithms, &known->graph()};
        });
    });
}

void adopt_neighborhood(Call created_by, MPI_Comm comm, const Graph& graph) noexcept
{
    if (!runtime().active || comm == MPI_COMM_NULL)
        return;
    quietly([&] {
        attach(comm, MPI_COMM_NULL,
               [&] { return Origin{created_by, MPI_COMM_NULL, {}, call_site(), graph.algorithms, &graph, true}; });
    });
}

} // namespace hopscotch::shim
