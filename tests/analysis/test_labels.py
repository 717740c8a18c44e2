"""Labels: what is done to a flow, and that a body is passed once, whoever asks and in whatever order."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from flake8_jax.analysis.labels import flows
from flake8_jax.analysis.labels.flows import ANY, DATA, EACH, FOLDED, MIXED, Placement, are_apart, part, state_after
from tests.support.bindings import judged
from tests.support.layouts import tree

ONE, OTHER = 1, 2
ITSELF = {Placement(): ONE}


def test_a_part_of_a_display_is_what_was_put_there() -> None:
    pair = flows.united(flows.below(("[]", 0), ITSELF), flows.below(("[]", 1), {Placement(): OTHER}))
    assert flows.labels_in(part(pair, ("[]", 0))) == ONE
    assert flows.labels_in(part(pair, ("[]", 1))) == OTHER
    assert flows.labels_in(flows.any_item(pair)) == ONE | OTHER
    assert part(pair, (".", "x")) == {}


def test_a_replaced_part_is_gone() -> None:
    pair = flows.united(flows.below(("[]", 0), ITSELF), flows.below(("[]", 1), {Placement(): OTHER}))
    assert flows.labels_in(flows.without(pair, (("[]", 0),))) == OTHER


@pytest.mark.parametrize(
    ("trail", "child"),
    [
        ((), "all"), ((("[]", 3),), 3), ((("[]", -1),), None), ((EACH,), "each"), ((ANY,), None), ((MIXED,), "each"),
        ((("[]", 3), DATA), 3), ((DATA,), "each"), ((MIXED, ANY), None),
    ],
)  # fmt: skip
def test_the_keys_of_a_split_are_told_apart(trail: flows.Trail, child: flows.Child) -> None:
    state = state_after("split", trail)
    assert state is not None
    assert state.child == child
    assert state.is_key is (DATA not in trail)


def test_what_is_no_key_is_left_behind_where_only_keys_are_kept() -> None:
    assert state_after("data", (flows.KEYS,)) is None
    assert state_after("key", (DATA, flows.KEYS)) is None
    assert state_after("key", (flows.OTHERS,)) is None
    assert state_after("key", (FOLDED, flows.KEYS)) is not None


def test_arms_of_one_choice_are_apart() -> None:
    met = flows.chosen("test", [ITSELF, {Placement(): OTHER}])
    one, other = (next(way.arms for way, labels in met.items() if labels == label) for label in (ONE, OTHER))
    assert are_apart(one, other)
    assert not are_apart(one, one)
    assert not are_apart(one, frozenset())


def test_what_both_arms_have_is_beside_what_one_of_them_has() -> None:
    met = flows.chosen("test", [ITSELF, flows.united(ITSELF, {Placement(): OTHER})])
    both = [way.arms for way, labels in met.items() if labels & ONE]
    (alone,) = (way.arms for way, labels in met.items() if labels & OTHER)
    assert [are_apart(one, alone) for one in both] == [True, False]


def test_a_callee_does_to_a_flow_what_it_does_to_its_input() -> None:
    keys = flows.below(("[]", 1), ITSELF)
    taken = flows.replayed(keys, Placement((("[]", 0),), (("[]", 1), DATA)), "call")
    assert taken == {Placement((("[]", 0),), (DATA,)): ONE}
    assert flows.replayed(keys, Placement((), (("[]", 0),)), "call") == {}


def test_a_trail_has_an_end() -> None:
    flow: flows.Flow = ITSELF
    for number in range(50):
        flow = part(flow, ("[]", number))
    (placement,) = flow
    assert len(placement.trail) <= flows.MAXIMUM_TRAIL + 1


CIRCLE = """
import jax

def even(key, n):
    a = jax.random.normal(key)
    return a if n == 0 else a + odd(key, n - 1)

def odd(key, n):
    b = jax.random.uniform(key)
    return b if n == 0 else b * even(key, n - 1)

def unread(key, n):
    c = jax.random.normal(key)
    d = jax.random.uniform(key)
    odd(d, n)
    return c.shape
"""


def test_functions_that_call_each_other_have_one_answer_in_every_order(tmp_path: Path) -> None:
    head, *functions = CIRCLE.split("def ")
    rows: set[tuple[tuple[str, str], ...]] = set()
    for number, order in enumerate(permutations(functions)):
        name = f"circle_{number}.py"
        tree(tmp_path, {name: head + "".join(f"def {one}" for one in order)})
        report = judged(tmp_path, name)
        lines = (tmp_path / name).read_text().splitlines()
        rows.add(tuple(sorted((one.code, lines[one.span.line - 1]) for one in report.diagnostics)))
    (found,) = rows
    assert [code for code, _ in found] == ["JAX101", "JAX101"]


OTHER_CHILDREN = """
import jax

def build(draw):
    def kernel(key, x):
        key, inner = jax.random.split(key)
        return x + draw(inner, x.shape)
    return kernel

def step(key, x):
    kernel = build(jax.random.normal)
    moved = kernel(key, x)
    {0}, {1} = jax.random.split(key)
    return moved, jax.random.uniform(sub)
"""


@pytest.mark.parametrize(("names", "codes"), [(("sub", "key"), []), (("key", "sub"), ["JAX101"])])
def test_keys_of_other_indices_are_told_apart_behind_a_function_that_was_made(
    names: tuple[str, str], codes: list[str], tmp_path: Path
) -> None:
    tree(tmp_path, {"made.py": OTHER_CHILDREN.format(*names)})
    assert [one.code for one in judged(tmp_path, "made.py").diagnostics] == codes
