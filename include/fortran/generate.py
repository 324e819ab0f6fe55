# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the Fortran modules hopscotch_f08 and hopscotch, and the C functions behind them, from the installed headers.

    generate.py FOLDER_OF_HEADERS_MODULE C_FILE F08_FILE MPI_FILE

A procedure of a module converts the things that the compiler knows: logicals, strings, optional arguments. The C
function behind it, the same for both modules, converts those that the MPI library knows: handles, buffers, constants
that are addresses."""

import pathlib
import sys
import textwrap

sys.path.insert(0, sys.argv[1])
from headers import read_headers  # noqa: E402

from arguments import argument  # noqa: E402

BEGINNING = """\
{0} SPDX-FileCopyrightText: 2026 The Hopscotch authors
{0} SPDX-License-Identifier: BSD-3-Clause
{0} Made by include/fortran/generate.py; {1}
"""
KINDS = {"unsigned long long": "integer(c_long_long)", "double": "real(c_double)", "int": "integer(c_int)"}
NAMED_DIMENSIONS = """\
   interface
      function named_dimensions(comm) bind(C, name="hop_fortran_named_dimensions") result(dimensions)
         import
         integer(c_int), value :: comm
         integer(c_int) :: dimensions
      end function
   end interface
"""


def indented(lines, depth):
    """Lines of Fortran; long ones are continued."""
    for line in lines:
        broken = textwrap.wrap(line, 108 - depth, break_long_words=False, break_on_hyphens=False)
        for number, part in enumerate(broken):
            yield " " * (depth + 5 * (number > 0)) + part + " &" * (number + 1 < len(broken))


def constants_needed(arguments):
    return ["in_place", "bottom", "unweighted"] if any(each.is_buffer for each in arguments) else []


# ---- C

def c_function(function, arguments):
    parameters = [each.c_parameter() for each in arguments]
    parameters += [f"const CFI_cdesc_t* {name}" for name in constants_needed(arguments)]
    yield f"int {c_name(function)}({', '.join(parameters)})"
    yield "{"
    yield "    int code = MPI_SUCCESS;"
    if constants_needed(arguments):
        yield "    const struct Constants constants = {in_place, bottom, unweighted};"
    for each in arguments:
        yield from (f"    {line}" for line in each.c_variables())
    for each in arguments:
        yield from (f"    if (code == MPI_SUCCESS)\n        code = {call};" for call in each.c_opening())
    yield "    if (code == MPI_SUCCESS)"
    yield f"        code = {function.name}({', '.join(each.c_actual() for each in arguments)});"
    for each in arguments:
        yield from (f"    {line}" for line in each.c_closing())
    yield "    return code;"
    yield "}\n"


def c_name(function):
    return function.name.lower().replace("hop_", "hop_fortran_")


def c_file(functions):
    yield BEGINNING.format("//", "the C functions behind both Fortran modules.")
    yield '#include "include/fortran/arguments.h"\n'
    for function, arguments in functions:
        yield from c_function(function, arguments)


# ---- Fortran

def procedure(function, arguments, flavor):
    """A procedure of the module that goes by `flavor`: f08 or mpi."""
    constants = constants_needed(arguments)
    names = [each.name for each in arguments]
    optional = "optional, " if flavor == "f08" else ""
    actuals = [each.passed(flavor) for each in arguments] + [f"MPI_{name.upper()}" for name in constants]
    yield from indented([f"subroutine {function.name}({', '.join([*names, 'ierror'])})"], 3)
    declarations = [each.dummy(flavor) for each in arguments]
    declarations.append(f"integer, {optional}intent(out) :: ierror")
    for each in arguments:
        declarations += each.variables()
    declarations.append("integer(c_int) :: code")
    yield from indented(declarations, 6)
    yield "      interface"
    binding = f'bind(C, name="{c_name(function)}") result(code)'
    yield from indented([f"function call_c({', '.join(names + constants)}) {binding}"], 9)
    yield "            import"
    inner = [each.interface(flavor) for each in arguments]
    inner += [f"type(*), dimension(..), intent(in) :: {name}" for name in constants]
    yield from indented([*inner, "integer(c_int) :: code"], 12)
    yield "         end function"
    yield "      end interface"
    for each in arguments:
        yield from indented(each.before(flavor), 6)
    yield from indented([f"code = call_c({', '.join(actuals)})"], 6)
    for each in arguments:
        yield from indented(each.after(flavor), 6)
    yield f"      {'if (present(ierror)) ' if optional else ''}ierror = code"
    yield "   end subroutine\n"


def text_function(function):
    """A function that returns a string in C is a function in Fortran, too."""
    if function.parameters or function.result != "const char*":
        sys.exit(f"{function.name}: no way to make a Fortran function of it is known")
    return f"""\
   function {function.name}() result(text)
      character(len=:), allocatable :: text
      character(kind=c_char), pointer :: letters(:)
      integer :: i
      interface
         function call_c() bind(C, name="{function.name}") result(address)
            import
            type(c_ptr) :: address
         end function
         function length_of(address) bind(C, name="strlen") result(length)
            import
            type(c_ptr), value :: address
            integer(c_size_t) :: length
         end function
      end interface
      call c_f_pointer(call_c(), letters, [length_of(call_c())])
      allocate (character(len=size(letters)) :: text)
      do i = 1, size(letters)
         text(i:i) = letters(i)
      end do
   end function
""".splitlines()


def structure_type(structure):
    """Its name has _type: there is a procedure of the same name, and Fortran does not tell upper from lower case."""
    yield f"   type, bind(C) :: {structure.name}_type"
    for member in structure.members:
        yield f"      {KINDS[member.type]} :: {member.name} ! {member.comment}"
    yield "   end type\n"


def module_file(headers, functions, texts, flavor):
    name, mpi = {"f08": ("hopscotch_f08", "mpi_f08"), "mpi": ("hopscotch", "mpi")}[flavor]
    yield BEGINNING.format("!", f"the functions of <hopscotch.h> for programs that use {mpi}.")
    yield f"module {name}"
    yield f"   use {mpi}"
    yield "   use, intrinsic :: iso_c_binding"
    yield "   implicit none"
    yield "   private\n"
    for header in headers:
        for constant in header.constants:
            yield f"   integer, parameter, public :: {constant.name} = {constant.value}"
    for header in headers:
        for structure in header.structures:
            yield f"   public :: {structure.name}_type"
            yield from structure_type(structure)
    yield NAMED_DIMENSIONS
    for function in [*texts, *(function for function, _ in functions)]:
        yield f"   public :: {function.name}"
    yield "\ncontains\n"
    for function in texts:
        yield from text_function(function)
    for function, arguments in functions:
        yield from procedure(function, arguments, flavor)
    yield "end module"


def main():
    headers = read_headers()
    functions = [function for header in headers for function in header.functions]
    texts = [function for function in functions if function.result != "int"]
    functions = [(function, [argument(function, parameter) for parameter in function.parameters])
                 for function in functions if function.result == "int"]
    files = [c_file(functions), *(module_file(headers, functions, texts, flavor) for flavor in ("f08", "mpi"))]
    for path, lines in zip(sys.argv[2:], files):
        pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
