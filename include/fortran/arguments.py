# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""One parameter of a C function in Fortran: its type in the program, its conversion in the procedure of the module, and
its conversion in the C function behind it."""

import sys

# Infixes of the functions that convert handles.
HANDLES = {"MPI_Comm": "Comm", "MPI_Datatype": "Type", "MPI_Group": "Group", "MPI_Info": "Info", "MPI_Op": "Op",
           "MPI_Request": "Request", "MPI_Win": "Win"}

# Integers of C that are logicals in Fortran.
LOGICALS = {"flag", "periods", "period", "reorder", "dimension", "on"}


class Argument:
    """By default: passed on as it is."""
    is_buffer = False
    fortran = "integer, intent(in) :: {name}"
    c_fortran = "integer(c_int), value :: {name}"
    c = "int {name}"

    def __init__(self, function, parameter):
        self.function = function
        self.type = parameter.type.replace("const ", "")
        self.is_const = parameter.type.startswith("const ")
        self.name = parameter.name

    def filled(self, text):
        return text.format(name=self.name, type=self.type,
                           base=self.type.rstrip("*"), infix=HANDLES.get(self.type.rstrip("*")),
                           null=self.type.rstrip("*").replace("Datatype", "TYPE").upper() + "_NULL")

    # In the procedure of the module.
    def dummy(self, flavor):
        return self.filled(self.fortran)

    def interface(self, flavor):
        return self.filled(self.c_fortran)

    def passed(self, flavor):
        return self.name

    def variables(self):
        return []

    def before(self, flavor):
        return []

    def after(self, flavor):
        return []

    # In the C function.
    def c_parameter(self):
        return self.filled(self.c)

    def c_variables(self):
        return []

    def c_opening(self):
        return []

    def c_actual(self):
        return self.name

    def c_closing(self):
        return []


class Output(Argument):
    fortran = "integer, intent(out) :: {name}"
    c_fortran = "integer(c_int), intent(out) :: {name}"
    c = "int* {name}"


class Array(Argument):
    fortran = "integer, intent(in) :: {name}(*)"
    c_fortran = "integer(c_int), intent(in) :: {name}(*)"
    c = "const int {name}[]"


class ArrayOutput(Array):
    """inout: elements that are not written stay."""
    fortran = "integer, intent(inout) :: {name}(*)"
    c_fortran = "integer(c_int), intent(inout) :: {name}(*)"
    c = "int {name}[]"


class Address(Argument):
    fortran = "integer(MPI_ADDRESS_KIND), intent(in) :: {name}"
    c_fortran = "integer(c_intptr_t), value :: {name}"
    c = "MPI_Aint {name}"


class AddressArray(Argument):
    fortran = "integer(MPI_ADDRESS_KIND), intent(in) :: {name}(*)"
    c_fortran = "integer(c_intptr_t), intent(in) :: {name}(*)"
    c = "const MPI_Aint {name}[]"


class Logical(Argument):
    fortran = "logical, intent(in) :: {name}"

    def passed(self, flavor):
        return f"merge(1_c_int, 0_c_int, {self.name})"


class LogicalOutput(Output):
    fortran = "logical, intent(out) :: {name}"

    def variables(self):
        return [f"integer(c_int) :: {self.name}_c"]

    def passed(self, flavor):
        return f"{self.name}_c"

    def before(self, flavor):
        return [f"{self.name}_c = 0"]

    def after(self, flavor):
        return [f"{self.name} = {self.name}_c /= 0"]


class LogicalArray(Array):
    fortran = "logical, intent(in) :: {name}(*)"

    def length(self, flavor):
        names = [parameter.name for parameter in self.function.parameters]
        of_comm = "named_dimensions(comm%MPI_VAL)" if flavor == "f08" else "named_dimensions(comm)"
        return next((name for name in ("d", "maxd") if name in names), of_comm)

    def variables(self):
        return [f"integer(c_int), allocatable :: {self.name}_c(:)"]

    def passed(self, flavor):
        return f"{self.name}_c"

    def before(self, flavor):
        length = self.length(flavor)
        values = f"merge(1_c_int, 0_c_int, {self.name}(1:{length}))"
        return [f"allocate ({self.name}_c(max({length}, 0)), source={values})"]


class LogicalArrayOutput(LogicalArray):
    """What is not written stays."""
    fortran = "logical, intent(inout) :: {name}(*)"
    c_fortran = ArrayOutput.c_fortran
    c = ArrayOutput.c

    def before(self, flavor):
        return [f"allocate ({self.name}_c(max({self.length(flavor)}, 0)), source=-1_c_int)"]

    def after(self, flavor):
        return [f"where ({self.name}_c /= -1) {self.name}(1:{self.length(flavor)}) = {self.name}_c /= 0"]


class Handle(Argument):
    c = "MPI_Fint {name}"

    def dummy(self, flavor):
        return self.filled("type({base}), intent(in) :: {name}" if flavor == "f08" else "integer, intent(in) :: {name}")

    def passed(self, flavor):
        return f"{self.name}%MPI_VAL" if flavor == "f08" else self.name

    def c_actual(self):
        return self.filled("MPI_{infix}_f2c({name})")


class HandleOutput(Handle):
    c_fortran = "integer(c_int), intent(inout) :: {name}"
    c = "MPI_Fint* {name}"

    def dummy(self, flavor):
        """A handle that is freed goes in, too."""
        intent = "inout" if self.function.name.endswith("_free") else "out"
        return self.filled("type({base})" if flavor == "f08" else "integer") + f", intent({intent}) :: {self.name}"

    def c_variables(self):
        start = "MPI_{infix}_f2c(*{name})" if self.function.name.endswith("_free") else "{null}"
        return [self.filled("{base} {name}_handle = " + start + ";")]

    def c_actual(self):
        return f"&{self.name}_handle"

    def c_closing(self):
        return [self.filled("*{name} = MPI_{infix}_c2f({name}_handle);")]


class DatatypeArray(Argument):
    c = "const MPI_Fint {name}[]"

    def dummy(self, flavor):
        return self.filled("type({base})" if flavor == "f08" else "integer(c_int)") + f", intent(in) :: {self.name}(*)"

    interface = dummy

    def c_variables(self):
        return [f"MPI_Datatype* {self.name}_c = NULL;"]

    def c_opening(self):
        comm = next(other.name for other in self.function.parameters if other.type == "MPI_Comm")
        blocks = "blocks_of_neighborhood" if "cart_" in self.function.name.lower() else "blocks_of_topology"
        direction = "sends" if self.name.startswith("s") else "receives"
        yield f"open_datatypes(&{self.name}_c, {self.name}, {blocks}(MPI_Comm_f2c({comm}), {direction}))"

    def c_actual(self):
        return f"{self.name}_c"

    def c_closing(self):
        return [f"free({self.name}_c);"]


class Buffer(Argument):
    is_buffer = True
    c = "const CFI_cdesc_t* {name}"

    def __init__(self, function, parameter):
        super().__init__(function, parameter)
        others = {other.type for other in function.parameters}
        self.is_kept = bool(others & {"MPI_Request*", "MPI_Win*"})  # the memory is in use after the call

    def dummy(self, flavor):
        attributes = ", intent(in)" * self.is_const + ", asynchronous" * self.is_kept
        return f"type(*), dimension(..){attributes} :: {self.name}"

    interface = dummy

    def c_variables(self):
        return [f"struct Buffer {self.name}_c = {{NULL, NULL, NULL, buffer_in}};"]

    def c_opening(self):
        use = "buffer_kept" if self.is_kept else "buffer_in" if self.is_const else "buffer_in_out"
        yield f"open_buffer(&{self.name}_c, {self.name}, {use}, &constants)"

    def c_actual(self):
        return f"{self.name}_c.address"

    def c_closing(self):
        return [f"close_buffer(&{self.name}_c);"]


class Weights(Buffer):
    """Integers or MPI_UNWEIGHTED, which is a scalar in one of MPI's modules and an array in the other."""

    def dummy(self, flavor):
        if flavor == "mpi":
            return super().dummy(flavor)
        return f"integer, dimension(..), intent({'in' if self.is_const else 'inout'}) :: {self.name}"

    def interface(self, flavor):
        return super().dummy(flavor)


class Structure(Argument):
    fortran = c_fortran = "type({base}_type), intent(inout) :: {name}"
    c = "{type} {name}"


class Text(Argument):
    """An empty string is a null pointer."""
    fortran = "character(len=*), intent(in) :: {name}"
    c_fortran = "character(kind=c_char), intent(in) :: {name}(*)"
    c = "const char {name}[]"

    def passed(self, flavor):
        return f"trim({self.name})//c_null_char"

    def c_actual(self):
        return f"{self.name}[0] != '\\0' ? {self.name} : NULL"


def integer_argument(parameter):
    is_logical = parameter.name in LOGICALS
    if parameter.type.endswith("*"):
        if "weight" in parameter.name:
            return Weights
        return LogicalOutput if is_logical else Output
    if not parameter.is_array:
        return Logical if is_logical else Argument
    if parameter.type.startswith("const "):
        return LogicalArray if is_logical else Array
    return LogicalArrayOutput if is_logical else ArrayOutput


def argument(function, parameter):
    """The way of a parameter through a function."""
    kind = parameter.type.replace("const ", "") + "[]" * parameter.is_array
    base = kind.rstrip("*[]")
    if base == "int":
        made = integer_argument(parameter)
    elif kind == "void*":
        made = Buffer
    elif kind == "char*":
        made = Text
    elif kind in ("MPI_Aint", "MPI_Aint[]", "MPI_Datatype[]"):
        made = {"MPI_Aint": Address, "MPI_Aint[]": AddressArray, "MPI_Datatype[]": DatatypeArray}[kind]
    elif base in HANDLES and kind in (base, base + "*"):
        made = HandleOutput if kind.endswith("*") else Handle
    elif base.startswith("Hop_") and kind == base + "*":
        made = Structure
    else:
        sys.exit(f"{function.name}: no way to pass {parameter.type} {parameter.name} from Fortran is known")
    return made(function, parameter)
