"""Families of programs, a module for each subject; importing this package makes them all."""

from tests.growth.families import (
    arrays,
    callables,
    classes,
    control,
    effects,
    fixtures,
    keys,
    lengths,
    names,
    packages,
    searches,
)
from tests.growth.family import FAMILIES

__all__ = ["FAMILIES", "arrays", "callables", "classes", "control", "effects", "fixtures", "keys", "lengths", "names", "packages", "searches"]
