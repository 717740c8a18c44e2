"""One use of a key that happens many times: in a loop, in a body, in lanes.

for i in range(n): xs.append(normal(key))       the second iteration uses what the first one used up
lax.scan(lambda c, x: (c, normal(key)), ...)    each turn captures one key
vmap(noisy, in_axes=(0, None))(xs, key)         each lane is passed one key
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from flake8_jax.analysis.checks.instead import can_bind
from flake8_jax.analysis.checks.keys.remedies import counted_site, lanes_site, mapped_site, remedy
from flake8_jax.analysis.checks.naming import imported_as, name_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.payload import Copies
from flake8_jax.domain.provenance import CERTAIN, Certainty, Context, Use
from flake8_jax.domain.resources import DrawSite, KeySite, RepeatForm, Repetition, Used
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import targets_in, within
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Remedy

SCRIPT = compiled(r"if\s+\(?(__name__|['\"]__main__)")
"""How a statement begins that runs only in a script."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """What repeats a use, and where that stands."""

    form: RepeatForm
    by: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class KeyRepeated:
    """One use of a key happens many times, with the same key.

    It is reported at the argument that is the key, or at the call if the key comes in hidden.  `key` is its text, ""
    where no name leads to it; `instead` is what to write.  It is likely where it may be meant.  It `is_handed_back`
    where the function that uses it is handed its own result in the next iteration, and the key in it.
    """

    op: Op
    key: str
    use: Use
    repeat: Repeat
    instead: str
    context: Context
    site: KeySite | None = None
    is_handed_back: bool = False

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried."""
        return remedy(self.site, None, self.instead)


def repeated_by(frame: Frame, value: Value, root: Value | None, is_captured: bool) -> Repetition | None:
    """The innermost repetition in which each call gets the same key.

    The key is captured, or one of the fixed arguments.
    """
    for repetition in reversed(frame.repetitions):
        if is_captured or value.original in repetition.fixed:
            return repetition
        if root is not None and root.original in repetition.fixed:
            return repetition
    return None


def report_repeated(
    frame: Frame, key: str, used: Used, at: Op, repetition: Repetition, is_captured: bool, certainty: Certainty
) -> None:
    """Report a key that each iteration or lane uses up.

    It is reported where the text of the function does that, if it captures the key.
    """
    inner = _inner(used.draw) if is_captured else None
    use = used.use
    if inner is not None:
        at = inner.place if inner.place is not None else inner.op
        use = used.use.within or use
    path, line = frame.namespace.path, repetition.op.anchor.line
    repeat = Repeat(repetition.form, f"`{repetition.by}`", path, line)
    instead = one_each(frame, repetition.form, repetition.by)
    if not key.isidentifier() and can_bind(frame, key):
        instead = instead.replace(", into one key", f", into a new `{key}` and one key", 1)
    if type(at) is not ops.Name and _may_be_left_out(frame.function, key):
        instead += ", where it is not None"
    site = _site(frame, at, repetition, is_captured)
    make = partial(KeyRepeated, at, key, use, repeat, instead, Context(certainty=certainty), site)
    emit(frame, (KeyRepeated, at, certainty), make)


def _may_be_left_out(function: ops.Function, key: str) -> bool:
    """Is a key a parameter whose default is None?"""
    defaults = [parameter.default for parameter in function.parameters if parameter.name == key]
    return any(type(default) is ops.Const and default.value is None for default in defaults)


def _site(frame: Frame, at: Op, repetition: Repetition, is_captured: bool) -> KeySite | None:
    """Where a key can be told apart: by batch elements, or if it is captured, by a counter or the leaves of trees."""
    if repetition.form == "lane":
        return lanes_site(frame, at)
    if is_captured and repetition.by.endswith("fori_loop"):
        return counted_site(frame, at)
    is_mapped = is_captured and repetition.by.endswith(("tree_map", "tree.map", "tree_util.tree_map"))
    return mapped_site(frame, at) if is_mapped else None


def report_copies(frame: Frame, copies: Value, used: Used, repetition: Repetition) -> None:
    """Report an array of one key many times of which each lane gets one."""
    at = copies.made_by
    if type(at) is not ops.Call or type(copies.payload) is not Copies:
        return
    key = name_of(frame, copies.payload.of) or phrase(at.args[0] if at.args else at)
    repeat = Repeat(repetition.form, f"`{repetition.by}`", frame.namespace.path, repetition.op.anchor.line)
    instead = one_each(frame, "element" if repetition.form == "turn" else repetition.form, repetition.by)
    make = partial(KeyRepeated, at, key, used.use, repeat, instead, Context())
    emit(frame, (KeyRepeated, at, CERTAIN), make)


def _inner(draw: DrawSite | None) -> DrawSite | None:
    """The draw in the body of the function that is called."""
    return draw.inner[0] if draw is not None and draw.inner else None


def one_each(frame: Frame, form: RepeatForm, by: str = "") -> str:
    """How to give each turn or lane a key of its own; `by` is the function that repeats the use."""
    split = imported_as(frame.function.scope, "jax.random.split")
    match form:
        case "turn" if by.endswith("map"):
            return f"split it before, with `{split}`, into one key for each element, and map over the keys, too"
        case "lane" if "shard_map" in by or "pmap" in by:
            fold = imported_as(frame.function.scope, "jax.random.fold_in")
            index = imported_as(frame.function.scope, "jax.lax.axis_index")
            return f"fold the number of the device into it, with `{fold}` and `{index}`, or give each its own key"
        case "turn":
            return f"carry the key: split it in the body, with `{split}`, and return the new one with the rest"
        case "lane":
            return f"split it before, with `{split}`, into one key for each batch element, and map over the keys, too"
        case "leaf":
            return f"split it before, with `{split}`, into one key for each leaf, and map over both trees"
    return f"split it before, with `{split}`, into one key for each element, and run over both"


def loop_around(loop: Op, path: str) -> Repeat:
    """A loop of Python as what repeats a use."""
    if type(loop) is ops.Loop:
        return Repeat("iteration", f"the `{loop.kind}` loop", path, loop.anchor.line)
    by = f"`{phrase(loop.func)}`" if type(loop) is ops.Call else "the comprehension"
    return Repeat("element", by, path, loop.anchor.line)


NEGATED = {"!=": "==", "<": ">=", ">": "<="}
"""The comparison that holds where another fails."""


def may_run_once(function: ops.Function, op: Op, loop: Op) -> bool:
    """Does an op stand under a test in a loop that its iterations decide, or in an arm that leaves the loop?

    for x in xs:
        if state is None: state = init(key)         once
        if scale > 0: ys.append(normal(key))        in each iteration, or in none
    """
    chains = chains_of(function)
    way = chains.way_to(op)
    if type(loop) is not ops.Loop or loop not in way:
        return False
    for outer, inner in pairwise(way[way.index(loop) :]):
        if type(outer) is ops.Branch and inner is not outer.test:
            arm = outer.body if inner in outer.body else outer.orelse
            if type(arm[-1]) is ops.Leave and arm[-1].kind != "continue":
                return True
            asked = (*chains.asked(outer.test), *_entries_asked(outer.test))
            if any(one is not loop for text in asked for _, one in chains.stored_in(text, loop)):
                return True
    return False


def _entries_asked(test: Op) -> Iterator[str]:
    """The entries that a test asks for: `memo["a"]` of `"a" not in memo`."""
    for inner in within(test):
        if (
            type(inner) is ops.Compare
            and inner.operators in (("in",), ("not in",))
            and type(inner.operands[0]) is ops.Const
        ):
            yield f"{phrase(inner.operands[1])}[{phrase(inner.operands[0])}]"


def feeds_itself(function: ops.Function, op: Op) -> bool:
    """Is what a call gives bound to a name that it reads when it comes again: `state = step(state, key)`?"""
    chains, read = chains_of(function), {inner for inner in within(op) if type(inner) is ops.Name}
    statement = next((one for one in reversed(chains.way_to(op)) if type(one) is ops.Store), None)
    targets = [inner for target in statement.targets for inner in within(target)] if statement is not None else []
    return any(type(target) is ops.Name and not read.isdisjoint(chains.uses_of(target)) for target in targets)


def is_of_one_turn(function: ops.Function, op: Op, loop: Op) -> bool:
    """Does an op stand under a test of a loop's counter that one iteration alone passes?"""
    way = chains_of(function).way_to(op)
    if type(loop) is not ops.Loop or loop.target is None or loop not in way:
        return False
    around = [each for each in pairwise(way[way.index(loop) :]) if type(each[0]) is ops.Branch]
    counters = {part.name for part in targets_in(loop.target) if type(part) is ops.Name} if around else set[str]()
    return any(
        _selects_one(outer.test, counters, inner in outer.body)
        for outer, inner in around
        if type(outer) is ops.Branch and inner is not outer.test
    )


def _selects_one(test: Op, counters: set[str], holds: bool) -> bool:
    """Does one number alone pass (or, if it is not to hold, fail) a test: `i == k`, `i < n - 1`, `i > 0`?"""
    if type(test) is not ops.Compare or len(test.operators) != 1:
        return False
    counter, other = test.operands
    if type(counter) is not ops.Name or counter.name not in counters:
        return False
    sign = test.operators[0] if holds else NEGATED.get(test.operators[0], "")
    is_last = type(other) is ops.Operate and other.operator == "-" and len(other.operands) == 2
    is_start = type(other) is ops.Const and other.value == 0
    return sign == "==" or (sign == ">=" and is_last) or (sign == "<=" and is_start)


def is_demonstration(frame: Frame, op: Op) -> bool:
    """Does an op of a module run only if the module is run as a script, below its definitions?"""
    origin = op.anchor.origin
    return frame.function.kind == "module" and SCRIPT.match(origin.source.lines[origin.line - 1]) is not None
