"""Tests of objects of known classes: `isinstance(method, Sobol)` for a `method` that a call makes of another class."""

from __future__ import annotations

from flake8_jax.analysis.callables import ClassValue, Copied, InstanceOf
from flake8_jax.analysis.objects.classes import ancestry, library_bases, lookup, stores
from flake8_jax.domain.conditions import NO_OBJECTS, Fact
from flake8_jax.domain.kinds import API, CLASS, NOT_AN_INSTANCE
from flake8_jax.domain.value import Value


def is_of_another_class(fact: Fact, actual: Value) -> bool:
    """Does a fact say that a value is of classes of the project, where it is certainly an object of others?

    Or that it is none of a class of which it is one; or that it is a text, say, where it is a copy with other fields.
    """
    if fact.test != "isinstance":
        return False
    tested = fact.other if isinstance(fact.other, tuple) else (fact.other,)
    if type(actual.payload) is Copied:
        return fact.holds and all(isinstance(one, str) and one in NO_OBJECTS for one in tested)
    classes = [one.payload for one in tested if isinstance(one, Value) and isinstance(one.payload, ClassValue)]
    if type(actual.payload) is InstanceOf:
        own = ancestry(actual.payload.owner)
        if any(class_ in own or _has_all_of(actual.payload.owner, class_) for class_ in classes):
            return not fact.holds
        is_apart = all(_is_known(ancestor) for ancestor in own) and all(
            _are_apart(actual.payload.owner, class_) for class_ in classes
        )
    else:
        is_apart = actual.kind in NOT_AN_INSTANCE and not any(any(library_bases(class_)) for class_ in classes)
    return fact.holds and len(classes) == len(tested) and is_apart


def _are_apart(owner: ClassValue, other: ClassValue) -> bool:
    """Can no object belong to both of two classes?  A protocol asks for methods only, so that any object may."""
    names, others = ({ancestor.name for ancestor in ancestry(each)} for each in (owner, other))
    return owner.name not in others and other.name not in names and not _is_protocol(other)


def _is_protocol(owner: ClassValue) -> bool:
    return any(name.endswith("Protocol") for name in library_bases(owner))


def _has_all_of(owner: ClassValue, protocol: ClassValue) -> bool:
    """Do objects of a class have all that a protocol asks for, so that they are of it without deriving from it?"""
    if not _is_protocol(protocol):
        return False
    if lookup(owner, "__getattr__") is not None:
        return True
    asked = {name for each in ancestry(protocol) for name in (*each.attributes, *each.annotations)}
    held = {name for each in ancestry(owner) for name in (*each.attributes, *each.annotations)}
    return all(name in held or stores(owner, None, name) for name in asked)


def _is_known(owner: ClassValue) -> bool:
    return all(base.kind is API or base.kind is CLASS for base in owner.bases)
