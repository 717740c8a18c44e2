"""The catalogue of verified pitfalls, as it is and rewritten by script."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.rules import marked
from tests.rules.variants import VARIANTS, NotApplicable
from tests.support.expectations import FIXTURES, lint_text

CATALOGUE = FIXTURES / "catalogue"
ENTRIES: list[dict[str, Any]] = [
    json.loads(line) for line in (CATALOGUE / "index.jsonl").read_text(encoding="utf-8").splitlines()
]
CODE_OF: dict[str, str] = {entry["id"]: entry["code"] for entry in ENTRIES}
BAD = [entry for entry in ENTRIES if entry["code"] != "legal"]

MISSED_IN_HELPERS = {
    "at-missing-op": "a view that is handed to a helper is like any argument there; one that is returned is followed",
    "conv-isinstance-float": "a helper may test types for callers that hand in values of the host",
    "conv-type-is": "a helper may test types for callers that hand in values of the host",
    "key-same-seed-twice": "equal seeds are compared within one body: those of two functions are often meant",
    "key-split-result-dropped": "a derivation whose keys are dropped is reported if its own body uses the parent on",
    "mask-multiply-nan": "a product of two parameters has no infinity and no 0 that are written",
    "vmap-kwarg-int-in-axes": "of a keyword that a lambda hands on to a helper the rank is not asked",
}
"""Entries that are not found if a part of them stands in a helper, and why."""

MISSED_IN_OTHER_FORMS = {
    "lru-cache-on-traced": "a global that is bound again to its own cached form is not followed",
}
"""Entries that are not found if decorators are written as calls, and why."""

MISSED_BY_OTHER_NAMES = {
    "fori-body-swapped": "only the names say that the counter and the value are swapped: the call is legal",
    "module-level-compute": "a name that is written as that of a variable, not as a constant, says that it is a script",
}
"""Entries that are not found if their names say nothing, and why."""

NAMES = {variant.__name__: variant for variant in VARIANTS}
# With the display in a helper, the draws from its two entries are as good a place to report; so is the call of a helper
# that draws for each turn, and the default that the draws come from.
ELSEWHERE = {
    "key-dict-same-key": ("a, b = ", "JAX101"),
    "key-reuse-scan-closure": ("    return inner_of", "JAX102"),
    "key-reuse-tree-map-lambda": ("noisy = ", "JAX102"),
    "key-reuse-vmap-closure": ("f = ", "JAX102"),
    "key-default-argument": ("def noise", "JAX104"),
    "api-jit-device": ("f = jax.jit(lambda", "JAX802"),
    "api-tree-map": ("print(jax.tree_map", "JAX801"),
    "custom-vjp-bwd-not-tuple": ("f.defvjp", "JAX608"),
    "cond-array-pred": ("print(lax.cond", "JAX613"),
    "cond-branch-dtype": ("print(lax.cond", "JAX603"),
    "fori-body-swapped": ("print(lax.fori_loop", "JAX602"),
    "fori-missing-return": ("r = lax.fori_loop", "JAX604"),
    "fori-wrong-kwargs": ("print(lax.fori_loop", "JAX602"),
    "grad-complex": ("g = jax.grad", "JAX607"),
    "grad-has-aux-scalar": ("g = jax.grad", "JAX601"),
    "grad-int-input": ("g = jax.grad", "JAX607"),
    "grad-value-and-grad-aux-unpack": ("loss, aux, grads", "JAX609"),
    "scan-body-single-return": ("print(lax.scan", "JAX602"),
    "scan-carry-dtype": ("print(lax.scan", "JAX604"),
    "scan-carry-structure": ("print(lax.scan", "JAX604"),
    "scan-wrong-kwarg": ("print(lax.scan", "JAX602"),
    "vmap-all-none": ("print(jax.vmap", "JAX605"),
    "vmap-in-axes-length": ("print(jax.vmap", "JAX605"),
    "vmap-kwarg-always-mapped": ("print(jax.vmap", "JAX605"),
    "vmap-out-axes": ("print(jax.vmap", "JAX605"),
    "vmap-size-mismatch": ("print(jax.vmap", "JAX605"),
    "while-cond-nonbool": ("print(lax.while_loop", "JAX602"),
    "generator-jit": ("    return inner_of_f", "JAX611"),
    "fori-float-bounds": ("print(lax.fori_loop", "JAX613"),
    "pytree-tree-map-arg-order": ("print(jax.tree.map", "JAX606"),
    "grad-unpack-order": ("loss, grads", "JAX609"),
    "scan-body-arity": ("print(lax.scan", "JAX602"),
    "scan-swapped-args": ("print(lax.scan", "JAX606"),
    "static-argnames-comma-string": ("@partial(jax.jit", "JAX503"),
    "static-argnames-unknown": ("@partial(jax.jit", "JAX503"),
    "static-donate-overlap": ("f = jax.jit", "JAX503"),
    "switch-index-clamped": ("print(lax.switch", "JAX204"),
    "switch-not-list": ("print(lax.switch", "JAX613"),
    "while-arg-order": ("print(lax.while_loop", "JAX606"),
}
ELSEWHERE_IN_OTHER_FORM = {
    "generator-jit": ("f = jax.jit(f)", "JAX610"),
    "static-argnames-comma-string": ("f = jax.jit", "JAX503"),
    "static-argnames-unknown": ("f = jax.jit", "JAX503"),
    "static-donate-overlap": ("@functools.partial", "JAX503"),
}
"""Entries about the options of a transform, which stand in the call or decorator then."""


def text_of(role: str, entry: dict[str, Any]) -> str:
    """The program of an entry."""
    return _text(role, entry["id"])


@cache
def _text(role: str, identifier: str) -> str:
    return (CATALOGUE / role / f"{identifier}.py").read_text(encoding="utf-8")


@cache
def left_out(name: str, role: str, identifier: str) -> str | None:
    """The reason why there is no such variant; None if there is one, which is written only where it is asked for."""
    try:
        _variant(name, role, identifier)
    except NotApplicable as reason:
        return str(reason)
    return None


def _variant(name: str, role: str, identifier: str) -> ast.Module:
    if CODE_OF[identifier] == "JAX901" and name in ("in_function", "in_method"):
        raise NotApplicable("is about what a module does, not its functions")
    variant = NAMES[name](marked.parse(_text(role, identifier)))
    if CODE_OF[identifier].startswith("JAX8") and not marked.show(variant)[0].strip():
        raise NotApplicable("imports what nothing uses, and does nothing else")
    return variant


@cache
def rewritten(name: str, role: str, identifier: str) -> tuple[str, dict[int, str]]:
    """The text of a variant that there is, and its marks."""
    variant, marks = marked.show(_variant(name, role, identifier))
    elsewhere = ELSEWHERE_IN_OTHER_FORM if name == "other_form" else ELSEWHERE if name.startswith("into_helper") else {}
    if role == "bad" and identifier in elsewhere:
        start, code = elsewhere[identifier]
        marks |= {line: code for line, words in enumerate(variant.splitlines(), 1) if words.startswith(start)}
    if name == "imported_members" and CODE_OF[identifier].startswith("JAX8"):
        marks |= _imports_of(variant, marks)
    return variant, marks


def _imports_of(text: str, marks: dict[int, str]) -> dict[int, str]:
    """The marks, at the imports of what marked lines use: there it is told then."""
    found: dict[int, str] = {}
    for node in (one for one in ast.parse(text).body if isinstance(one, ast.ImportFrom)):
        lines = text.splitlines()
        for line, code in marks.items():
            if any(re.search(rf"\b{alias.asname or alias.name}\b", lines[line - 1]) for alias in node.names):
                found[node.lineno] = code
    return found


def said_of(text: str) -> list[tuple[int, str, str]]:
    """What is said of an entry, or of its twin: all are scripts, and may compute at their top."""
    return [(d.span.line, d.code, d.message) for d in lint_text(text)]


def check_bad(text: str, marks: dict[int, str]) -> None:
    """At least one of the marked lines is reported, with its code, and no other line is."""
    said = said_of(text)
    assert any(marks.get(line) == code for line, code, _ in said), f"not reported: {marks}, said: {said}\n{text}"
    assert [row for row in said if marks.get(row[0]) != row[1]] == [], text


def is_found(text: str, marks: dict[int, str]) -> bool:
    """Is at least one of the marked lines reported, with its code?"""
    return any(marks.get(finding.span.line) == finding.code for finding in lint_text(text))


def variants_found(code: str) -> tuple[int, int]:
    """How many variants of a rule's entries are found, and how many there are."""
    found = [is_found(*variant) for variant in _bad_variants(code)]
    return sum(found), len(found)


def _bad_variants(code: str) -> Iterator[tuple[str, dict[int, str]]]:
    for entry in BAD:
        for name in NAMES if entry["code"] == code else ():
            if left_out(name, "bad", entry["id"]) is None:
                yield rewritten(name, "bad", entry["id"])
