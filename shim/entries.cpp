// Where an exported function goes, see entries.hpp.
#include "shim/entries.hpp"

namespace hopscotch::shim
{

namespace
{

/// The first function called looks for the MPI library, then goes where the call belongs.
template <Functions Entries::*table, auto member>
struct First;

template <Functions Entries::*table, class Result, class... Arguments, Result (*Functions::*member)(Arguments...)>
struct First<table, member> {
    static Result call(Arguments... arguments)
    {
        require_functions();
        return (entries.*table.*member)(arguments...);
    }
};

/// MPI_Pcontrol: further arguments cannot be handed on.
template <Functions Entries::*table, int (*Functions::*member)(const int, ...)>
struct First<table, member> {
    static int call(const int level, ...)
    {
        require_functions();
        return (entries.*table.*member)(level);
    }
};

template <Functions Entries::*table>
constexpr Functions first_functions()
{
    Functions functions{};
#define FIRST(name) functions.name = First<table, &Functions::name>::call;
#define CALL(name, family) HOPSCOTCH_EXPORTED_##family(FIRST, name)
#include "shim/calls.def"
#undef CALL
#undef FIRST
    return functions;
}

} // namespace

Entries entries = {first_functions<&Entries::shown>(), first_functions<&Entries::base>()};

void set_entries(Library library) noexcept
{
#define ENTER(name)                                                                                                    \
    entries.base.name = library == Library::foreign ? next.name : act_##name;                                          \
    entries.shown.name = tools.name != nullptr ? tools.name : entries.base.name;
#define CALL(name, family) HOPSCOTCH_EXPORTED_##family(ENTER, name)
#include "shim/calls.def"
#undef CALL
#undef ENTER
}

} // namespace hopscotch::shim
