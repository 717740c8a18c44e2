"""The state of a liveness question: where products are at one point of a body, and which were read.

The question is asked of ops, not of abstract values: results are followed forwards from the draws, through names,
containers, records and calls, to the places where they are read as values or replaced.

    noise = normal(key)             noise: draw 1
    buffer.init(noise)              asked for its shape: not read
    noise = normal(sub)             replaced: draw 1 was never read
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from flake8_jax.analysis.liveness.callees import Code
from flake8_jax.analysis.liveness.products import (
    NO_PRODUCTS,
    Arms,
    Child,
    HeldAt,
    Mask,
    Product,
    Products,
    come_together,
    under,
)
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.scope import Binding, Scope

Held: TypeAlias = "dict[Binding, Products]"


class ProductRead(NamedTuple):
    """A product that is read: its draws, child of a split, mask and arms around; `is_other`: nothing of that child."""

    draws: frozenset[int]
    child: Child = None
    mask: Mask | None = None
    arms: Arms = frozenset()
    is_other: bool = False

    def is_apart(self, other: ProductRead) -> bool:
        """Can no run reach both?"""
        return not other.arms.isdisjoint([(test, not outcome) for test, outcome in self.arms])


def _is_other(product: Product) -> bool:
    """Is it a key of which nothing is drawn yet, or made of a key that was folded of that of the split?"""
    return product.is_key or product.is_folded


def never(reads: set[ProductRead]) -> bool:
    """The question is answered at the end only."""
    return False


class CallEntry(NamedTuple):
    """What the result of a call depends on in one walk: the function, what it is passed and can see."""

    function: Function
    arguments: frozenset[tuple[str, Products]]
    visible: frozenset[tuple[Binding, Products]]
    is_in_loop: bool


MAXIMUM_CALLS = 6
MAXIMUM_OPS = 20_000


@dataclass(slots=True)
class Waiting:
    """What left a body early: the products returned, the states at breaks, continues and raises."""

    returned: Products = NO_PRODUCTS
    breaks: list[Held] = field(default_factory=list)
    continues: list[Held] = field(default_factory=list)
    raised: list[Held] = field(default_factory=list)
    ends: list[Held] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Flow:
    """One walk over the code after some draws.

    `made` are the products of the ops that draw; `held` is where they are now, None where no path arrives; `reads` are
    the draws that were read, together where one of several is.  `functions` are the local functions by name, `running`
    those that are walked now, `statement` is the expression statement that is evaluated, `visited` are the draws met.
    `again` are the products of the ops in the second iteration of `loop`; `arms` are those of the tests around, outside
    of `loops` and of functions that are called, where a test is made again and again; `asked` is the function in
    question.
    `is_answered`: do the reads so far say all that is asked (`judged`: so many did not)?  `entered` are the results of
    the calls so far, and what was read in them.  `making` are the ops that draw, and all around them.
    `fed` are the ops of draws that got something of another draw; `has_met`: results of several are in one value;
    `kept` are the products in the object that is constructed.  `plain` are the names that were bound to the result of a
    draw itself.

    A statement is passed by that names nothing which holds a product, makes none, and decides nothing about the way.
    """

    made: dict[Op, Products]
    code: Code
    products_of: Callable[[Flow, Op], Products]
    run: Callable[[Flow, Body], None]
    held: Held | None = field(default_factory=dict)
    reads: set[ProductRead] = field(default_factory=set)
    functions: dict[Binding, Function] = field(default_factory=dict)
    running: list[Function] = field(default_factory=list)
    waiting: Waiting = field(default_factory=Waiting)
    statement: Op | None = None
    visited: set[Op] = field(default_factory=set)
    fed: set[tuple[Op, int]] = field(default_factory=set)
    has_met: bool = False
    kept: Products = NO_PRODUCTS
    plain: list[frozenset[Binding]] = field(default_factory=list)
    asked: Function | None = None
    arms: Arms = frozenset()
    loops: int = 0
    loop: Op | None = None
    again: dict[Op, Products] = field(default_factory=dict)
    ops: int = 0
    is_answered: Callable[[set[ProductRead]], bool] = never
    making: set[Op] = field(init=False)
    judged: int = 0
    entered: dict[CallEntry, tuple[Products, set[ProductRead]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chains = chains_of(self.code.function)
        self.making = {around for op in self.made for around in chains.way_to(op)}

    @property
    def is_asked(self) -> bool:
        """Is the function walked now the one in question, not one that is called?"""
        return self.running == [self.asked]

    @property
    def is_over(self) -> bool:
        """Is the question answered, or given up?"""
        if self.ops > MAXIMUM_OPS or self.loops or len(self.reads) == self.judged:
            return self.ops > MAXIMUM_OPS
        if self.is_answered(self.reads):
            return True
        self.judged = len(self.reads)
        return False

    def hot(self, bits: dict[Binding, int]) -> int:
        """The names that lead to products now: those that hold some, and the local functions, which may read these."""
        if not self.held:
            return 0
        found = 0
        for name in self.held:
            if name in bits:
                found |= bits[name]
        for name in self.functions:
            if name in bits:
                found |= bits[name]
        return found

    def close(self) -> None:
        """Let go what only the walk itself needed."""
        self.held, self.entered, self.functions = {}, {}, {}

    def read(self, held: Products) -> None:
        """Note that products are read as values."""
        self.reads.update(self.read_of(held))

    def read_of(self, held: Products) -> Iterator[ProductRead]:
        """Products as they are read here."""
        for one in held:
            child = "each" if one.child == "all" else one.child
            yield ProductRead(one.draws, child, one.mask, self.arms | one.arms, _is_other(one))

    def read_everything(self) -> None:
        """Give up: take all draws to be read."""
        for made in self.made.values():
            self.read(made)

    def enter_arm(self, test: Op, outcome: bool) -> None:
        """From here on a test has come out like this."""
        if not self.loops and self.is_asked:
            self.arms |= {(test, outcome)}

    def set_name(self, binding: Binding, products: Products) -> None:
        """Bind a name."""
        if self.held is None:
            return
        if products:
            self.held[binding] = products
            self.has_met = self.has_met or come_together(products)
        else:
            self.held.pop(binding, None)


def meet(first: Held | None, second: Held | None, test: Op | None = None) -> Held | None:
    """Where products may be after two paths have met, those of the outcomes of a `test` if it is known."""
    if first is None or second is None:
        return second if first is None else first
    met: Held = {}
    for name in {**first, **second}:
        one, other = first.get(name, NO_PRODUCTS), second.get(name, NO_PRODUCTS)
        if test is not None and one != other:
            both = one & other
            one, other = under(one - both, test, True) | both, under(other - both, test, False)
        met[name] = one | other
    return met


def copy(held: Held | None) -> Held | None:
    """An independent copy."""
    return None if held is None else dict(held)


def enter(flow: Flow, code: Code, arguments: dict[str, Products]) -> Products:
    """The products that a function returns when it gets these; what it reads is noted."""
    if len(flow.running) >= MAXIMUM_CALLS or code.function in flow.running:
        for held in arguments.values():
            flow.read(held)
        return NO_PRODUCTS
    visible = _visible(flow.held, code.function.scope) if flow.held else {}
    call = CallEntry(code.function, frozenset(arguments.items()), frozenset(visible.items()), bool(flow.loops))
    known = flow.entered.get(call)
    if known is None:
        reads, arms = flow.reads, flow.arms
        flow.reads, flow.arms = set(), frozenset()
        known = flow.entered[call] = _entered(flow, code, arguments, visible), flow.reads
        flow.reads, flow.arms = reads, arms
    returned, read = known
    flow.reads.update(one._replace(arms=flow.arms | one.arms) for one in read)
    return returned


def _visible(held: Held, scope: Scope) -> Held:
    """The names that code in a scope can read."""
    around: set[Scope] = set()
    outer: Scope | None = scope
    while outer is not None:
        around.add(outer)
        outer = outer.parent
    return {name: products for name, products in held.items() if name.owner in around}


def _entered(flow: Flow, code: Code, arguments: dict[str, Products], visible: Held) -> Products:
    around, before, waiting, statement = flow.code, flow.held, flow.waiting, flow.statement
    flow.code, flow.held, flow.waiting = code, visible, Waiting()
    for name, held in arguments.items():
        binding = code.function.scope.names.get(name)
        if binding is not None:
            flow.set_name(binding, held)
    flow.running.append(code.function)
    flow.run(flow, code.function.body)
    flow.running.pop()
    returned = flow.waiting.returned
    if code.function.is_generator:
        flow.read(returned)
    flow.code, flow.held, flow.waiting, flow.statement = around, before, waiting, statement
    return returned


NamedPart: TypeAlias = "tuple[Binding, tuple[HeldAt, ...]]"
"""A name and the steps from there to a part of its value."""
