"""The type of values of the program under test and of JAX, of which nothing is known here."""

from typing import Any, TypeAlias

# Arguments and results of measured calls are such values, too; for everything of this package's own there is a type.
Foreign: TypeAlias = Any
