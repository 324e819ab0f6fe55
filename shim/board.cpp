// Memory in which processes of one node that make communicators together show each other what they know.
#include "shim/board.hpp"

#include "shim/mpi_error.hpp"
#include "shim/neighbor_lists.hpp"
#include "shim/progress.hpp"

#include <cstring>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The communicator with which a board begins to pay: most programs make fewer from the same.
constexpr int made_with_board = 4;

/// Of a communicator: what has been made from it.
struct Offspring {
    int made = 0;
    std::unique_ptr<Board> board;
};

/// Raised whenever one goes away, so that no thread trusts the handle it looked up before.
std::atomic<unsigned> generation{0};

int delete_offspring(MPI_Comm, int, void* value, void*)
{
    generation.fetch_add(1, std::memory_order_release);
    delete static_cast<Offspring*>(value);
    return MPI_SUCCESS;
}

int offspring_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.Comm_create_keyval(copy_nothing<MPI_Comm>, delete_offspring, &created, nullptr));
        return created;
    }();
    return keyval;
}

Offspring* find_offspring(MPI_Comm parent)
{
    struct Recent {
        MPI_Comm parent = MPI_COMM_NULL;
        unsigned generation = 0;
        Offspring* offspring = nullptr;
    };
    thread_local Recent recent;
    if (parent == MPI_COMM_NULL)
        return nullptr;
    const unsigned now = generation.load(std::memory_order_acquire);
    if (recent.offspring != nullptr && recent.parent == parent && recent.generation == now)
        return recent.offspring;
    void* value = nullptr;
    int found = 0;
    check(next.Comm_get_attr(parent, offspring_keyval(), &value, &found));
    if (found == 0)
        return nullptr;
    recent = {parent, now, static_cast<Offspring*>(value)};
    return recent.offspring;
}

bool has_same_processes(MPI_Comm comm, MPI_Comm parent) noexcept
{
    int relation = MPI_UNEQUAL;
    return next.Comm_compare(comm, parent, &relation) == MPI_SUCCESS && relation == MPI_CONGRUENT;
}

} // namespace

std::unique_ptr<Board> Board::create(const ProcessGroup& group, std::optional<schedules::Topology> parent_box)
{
    if (group.nodes() > 1)
        return nullptr;
    std::optional<SharedFile> file =
        SharedFile::create(group, static_cast<std::size_t>(group.size()) * 2 * sizeof(Place));
    return file ? std::unique_ptr<Board>(new Board(std::move(*file), group, std::move(parent_box))) : nullptr;
}

Board::Board(SharedFile file, const ProcessGroup& group, std::optional<schedules::Topology> parent_box)
    : file_(std::move(file)), members_(std::make_shared<const std::vector<int>>(group.members())),
      parent_box_(std::move(parent_box)), rank_(group.rank()), yields_(group.yields())
{
}

Board::Place& Board::place(int rank) const noexcept
{
    return reinterpret_cast<Place*>(file_.base())[static_cast<std::size_t>(rank) * 2 + turn_ % 2];
}

bool Board::announce() noexcept
{
    posted_ = false;
    return turn_++ == last_shown_; // then all have shown, so that nobody reads the show before the last any more
}

void Board::post(const void* own, std::size_t bytes) noexcept
{
    std::memcpy(place(rank_).bytes, own, bytes);
    place(rank_).turn.store(turn_, std::memory_order_release);
    posted_ = true;
}

void Board::catch_up(bool announced, MPI_Comm comm) noexcept
{
    if (turn_ == last_shown_ + (announced ? 1 : 0))
        return;
    next.Barrier(comm); // now nobody reads any show
    last_shown_ = turn_;
}

void Board::show(const void* own, std::size_t bytes, MPI_Comm comm) noexcept
{
    if (turn_ == last_shown_)
        announce();
    if (!posted_)
        post(own, bytes);
    unsigned looks = 0;
    for (int rank = 0; rank < size(); ++rank)
        while (place(rank).turn.load(std::memory_order_acquire) != turn_) {
            progress();
            poll_now_and_then(looks, comm);
            yields_ ? give_way() : relax();
        }
    last_shown_ = turn_;
}

Board* board_of(MPI_Comm parent) noexcept
{
    try {
        Offspring* const offspring = find_offspring(parent);
        return offspring != nullptr ? offspring->board.get() : nullptr;
    } catch (const MpiError&) {
        return nullptr; // no keyval: nobody has kept anything
    }
}

Board* board_of(MPI_Comm parent, MPI_Comm comm) noexcept
{
    Board* const board = board_of(parent);
    return board != nullptr && has_same_processes(comm, parent) ? board : nullptr;
}

bool wants_board(MPI_Comm comm, MPI_Comm parent)
{
    if (parent == MPI_COMM_NULL || !has_same_processes(comm, parent))
        return false;
    Offspring* offspring = find_offspring(parent);
    if (offspring == nullptr) {
        auto first = std::make_unique<Offspring>();
        check(next.Comm_set_attr(parent, offspring_keyval(), first.get()));
        offspring = first.release(); // delete_offspring deletes it
    }
    return ++offspring->made == made_with_board;
}

void make_board(const ProcessGroup& group, MPI_Comm parent)
{
    find_offspring(parent)->board = Board::create(group, cartesian_box(parent));
}

} // namespace hopscotch::shim
