// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses one of many faults at run time: fault_map.py includes it in every source of a copy, and writes the calls.
// FAULT_CHOSEN in the environment is the number of a fault. FAULT_REACHED is a file with a byte for each number: the
// processes write 1 to the bytes of the faults that they come to. Programs of earlier C++ have no faults.
#pragma once
#if __cplusplus >= 201703L

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>

namespace hopscotch_faults
{

struct State {
    bool read = false;
    unsigned chosen = 0; // 0: none
    unsigned char* reached = nullptr;
    unsigned long most = 0;
};
inline State state;

inline void read_environment() noexcept
{
    const char* const chosen = std::getenv("FAULT_CHOSEN");
    state.chosen = chosen == nullptr ? 0 : static_cast<unsigned>(std::atol(chosen));
    if (const char* const path = std::getenv("FAULT_REACHED")) {
        const int file = open(path, O_RDWR | O_CLOEXEC);
        struct stat about {
        };
        if (file >= 0 && fstat(file, &about) == 0) {
            state.most = static_cast<unsigned long>(about.st_size);
            void* const bytes = mmap(nullptr, state.most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (bytes != MAP_FAILED)
                state.reached = static_cast<unsigned char*>(bytes);
        }
        if (file >= 0)
            close(file);
    }
    state.read = true;
}

inline bool come_to(unsigned number) noexcept
{
    if (!state.read)
        read_environment();
    if (state.reached != nullptr && number < state.most)
        state.reached[number] = 1;
    return state.chosen == number;
}

/// True if this fault is to be made. In constant expressions none is.
constexpr bool made(unsigned number) noexcept
{
    return __builtin_is_constant_evaluated() ? false : come_to(number);
}

/// Operands joined by && and ||, given as "&|": the faults first, first + 1 and so on take one operator for the other.
/// An operand is computed when the language computes it.
template <class... Operands>
constexpr bool logic(unsigned first, const char* operators, Operands... operands)
{
    bool value = false;
    bool over = false;
    unsigned at = 0;
    const auto take = [&](auto& operand) {
        if (at == 0) {
            value = operand();
        } else if ((operators[at - 1] == '&') != made(first + at - 1)) {
            if (value && !over)
                value = operand();
        } else if (value) {
            over = true;
        } else {
            value = operand();
        }
        ++at;
    };
    (take(operands), ...);
    return value;
}

/// Two arguments change places as objects of one type, or as numbers or pointers that convert into each other.
template <class A, class B> struct Places {
    using PlainA = std::remove_cv_t<std::remove_reference_t<A>>;
    using PlainB = std::remove_cv_t<std::remove_reference_t<B>>;
    static constexpr bool as_objects = std::is_lvalue_reference_v<A> && std::is_same_v<PlainA, PlainB> &&
                                       std::is_convertible_v<std::remove_reference_t<B>&, A>;
    static constexpr bool as_values = !as_objects && std::is_scalar_v<PlainA> && std::is_scalar_v<PlainB> &&
                                      std::is_convertible_v<PlainA, PlainB> && std::is_convertible_v<PlainB, PlainA>;
    using Result = std::conditional_t<as_values, PlainA, A&&>;
};

/// The first argument, or with the fault the second one. A fault that the types do not have is never come to: the
/// compiler would refuse the arguments in the other order.
template <class A, class B>
constexpr typename Places<A, B>::Result either(unsigned number, A&& a, [[maybe_unused]] B&& b) noexcept
{
    using Result = typename Places<A, B>::Result;
    if constexpr (Places<A, B>::as_objects || Places<A, B>::as_values)
        if (made(number))
            return static_cast<Result>(b);
    return static_cast<Result>(a);
}

} // namespace hopscotch_faults

// `a < b` becomes `a < Less{7} < b`: NAME stands between two operators of the same precedence as ORIGINAL. A fault that
// the operands' types do not have is never come to.
#define HOPSCOTCH_FAULT_OPERATOR(NAME, AROUND, ORIGINAL, CHANGED)                                                      \
    namespace hopscotch_faults                                                                                         \
    {                                                                                                                  \
    struct NAME {                                                                                                      \
        unsigned number;                                                                                               \
    };                                                                                                                 \
    template <class A> struct NAME##Left {                                                                             \
        const A& a;                                                                                                    \
        unsigned number;                                                                                               \
    };                                                                                                                 \
    template <class A, class B, class = void> struct NAME##Possible : std::false_type {                                \
    };                                                                                                                 \
    template <class A, class B>                                                                                        \
    struct NAME##Possible<A, B, std::void_t<decltype(std::declval<const A&>() CHANGED std::declval<const B&>())>>      \
        : std::true_type {                                                                                             \
    };                                                                                                                 \
    template <class A> constexpr NAME##Left<A> operator AROUND(const A& a, NAME op)                                    \
    {                                                                                                                  \
        return {a, op.number};                                                                                         \
    }                                                                                                                  \
    template <class A, class B> constexpr auto operator AROUND(NAME##Left<A> left, const B& b)                         \
    {                                                                                                                  \
        using Result = std::decay_t<decltype(left.a ORIGINAL b)>;                                                      \
        if constexpr (NAME##Possible<A, B>::value)                                                                     \
            if (made(left.number))                                                                                     \
                return static_cast<Result>(left.a CHANGED b);                                                          \
        return static_cast<Result>(left.a ORIGINAL b);                                                                 \
    }                                                                                                                  \
    }
HOPSCOTCH_FAULT_OPERATOR(Less, <, <, <=)
HOPSCOTCH_FAULT_OPERATOR(LessEqual, <, <=, <)
HOPSCOTCH_FAULT_OPERATOR(Greater, <, >, >=)
HOPSCOTCH_FAULT_OPERATOR(GreaterEqual, <, >=, >)
HOPSCOTCH_FAULT_OPERATOR(Equal, ==, ==, !=)
HOPSCOTCH_FAULT_OPERATOR(Unequal, ==, !=, ==)
HOPSCOTCH_FAULT_OPERATOR(Plus, +, +, -)
HOPSCOTCH_FAULT_OPERATOR(Minus, +, -, +)
#endif
