# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a program that hands MPI_COMM_NULL to every function of the headers that takes a communicator."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/develop"))
from headers import read_headers  # noqa: E402

VALUES = {"MPI_Comm": "MPI_COMM_NULL", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM", "MPI_Info": "MPI_INFO_NULL",
          "MPI_Win": "MPI_WIN_NULL", "MPI_Group": "MPI_GROUP_EMPTY"}


def value(parameter):
    return "NULL" if parameter.is_array or parameter.type.endswith("*") else VALUES.get(parameter.type, "0")


print('#include "check.h"\n\n#include <hopscotch.h>\n\nint main(int argc, char** argv)\n{\n    MPI_Init(&argc, &argv);')
for header in read_headers():
    for function in header.functions:
        takes_one = any(parameter.type == "MPI_Comm" and not parameter.is_array for parameter in function.parameters)
        if takes_one and "for MPI_COMM_NULL of all" not in function.comment:
            print(f"    CHECK_ERROR({function.name}({', '.join(map(value, function.parameters))}), MPI_ERR_COMM);")
print("    return finish_checks();\n}")
