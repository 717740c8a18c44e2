"""The grammar of the fuzzer: a seed derives the text of a program that uses random keys.

A program is a function of a key and flags, a function of flags alone that makes its keys, or statements of a module.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.fuzzing import calls, flow, objects, straight, transforms
from tests.fuzzing.writing import AID, MAIN, SHAPE, Author, Fragment, Held, Line, Page, Program, Scope

DEEPEST = 3
SHALLOW = (*straight.FRAGMENTS, *flow.FRAGMENTS)
ALL = (*SHALLOW, *calls.FRAGMENTS, *transforms.FRAGMENTS, *objects.FRAGMENTS)
FEATURES = tuple(fragment.__name__ for _, fragment in ALL)

MISUSES = (
    "{jr}.normal(0, {shape})",
    "{jr}.normal({shape})",
    "{jr}.normal({jr}.split({key}), {shape})",
    "{jr}.normal({jr}.key(3) + 1, {shape})",
    "{jr}.normal({jr}.key(0.5), {shape})",
    "{jr}.split({key}, 3)",
)
"""What raises: a number, a shape, two keys where one is due, arithmetic, a wrong number of names."""


def program(seed: int) -> Program:
    """The program that a seed derives."""
    author = Author(seed, blocks)
    form = author.random.random()
    page: Page = []
    if form < 0.55:
        _function(author, page, author.one("key", "rng", "seed_key"))
    elif form < 0.85:
        _function(author, page, "")
    else:
        _script(author, page)
    head = _head(author)
    files = {MAIN: (*head, *_imports(author.imports), *author.tops, *page)}
    if author.aids:
        files[AID] = (*head, *_imports(_plain(author.imports)), *author.aids)
    return Program(seed, files)


def _imports(texts: Iterable[str]) -> list[Line]:
    return [Line(text, "frame") for text in (*sorted(texts), "", "")]


def _head(author: Author) -> list[Line]:
    spelled = {"jr": "import jax.random as jr", "random": "from jax import random"}.get(author.jr)
    lines = ["import jax", "import jax.numpy as jnp", *([spelled] if spelled else [])]
    return [Line(text, "frame") for text in lines]


def _plain(imports: Iterable[str]) -> list[str]:
    return [text for text in imports if "aid" not in text.split()]


def _function(author: Author, page: Page, key: str) -> None:
    flags = ("a", "b", "c")[: author.random.randrange(4)]
    parameters = ", ".join((key, *flags) if key else flags)
    scope = Scope(page, 0, [Held(key)] if key else [], "x", flags, may_seed=not key)
    author.write(scope, f"def program({parameters}):")
    scope.indent = 1
    scope.leaves = "return x"
    author.write(scope, f"x = jnp.zeros({SHAPE})")
    blocks(author, scope, author.random.randrange(2, 7))
    _misuse(author, scope)
    fresh = [one for one in scope.held if not one.used and one.can_bind]
    if fresh and author.chance(0.2):
        author.write(scope, f"return x, {author.random.choice(fresh).text}")
    else:
        author.write(scope, "return x")


def _script(author: Author, page: Page) -> None:
    scope = Scope(page, 0, [], "x", may_seed=True)
    author.write(scope, f"x = jnp.zeros({SHAPE})")
    blocks(author, scope, author.random.randrange(2, 6))
    author.write(scope, "print(x)")


def _misuse(author: Author, scope: Scope) -> None:
    """Seldom, a last statement that raises."""
    if not author.errs(0.1):
        return
    with author.writing("misuse"):
        key = author.take(scope)
        if key is not None:
            form = author.one(*MISUSES).format(jr=author.jr, key=key, shape=SHAPE)
            author.write(scope, f"one, two = {form}" if form.endswith("3)") else f"x = x + {form}")


def blocks(author: Author, scope: Scope, size: int) -> None:
    """Write some fragments into a scope."""
    table: tuple[tuple[int, Fragment], ...] = ALL if scope.depth < DEEPEST else straight.FRAGMENTS
    fragments = [fragment for _, fragment in table]
    weights = [weight for weight, _ in table]
    for fragment in author.random.choices(fragments, weights, k=size):
        with author.writing(fragment.__name__):
            fragment(author, scope)
