"""Fragments of Python's control flow: branches, early returns, loops, comprehensions."""

from __future__ import annotations

from tests.fuzzing.writing import SHAPE, TURNS, Author, Held, Scope


def _arm(a: Author, s: Scope, size: int) -> Scope:
    """One arm of a branch, with at least one line."""
    inner = s.inner(s.copies(), leaves=s.leaves)
    before = len(s.page)
    a.blocks(a, inner, size)
    if len(s.page) == before:
        a.write(inner, f"{s.total} = {s.total} + 1.0")
    return inner


def _join(s: Scope, *arms: Scope) -> None:
    """What any arm used is used."""
    for held in s.held:
        held.used |= any(one.used for arm in arms for one in arm.held if one.text == held.text)


def _test(a: Author, s: Scope) -> str:
    if len(s.flags) > 1 and a.chance(0.2):
        return f" {a.one('and', 'or')} ".join(s.flags[:2])
    return a.one("", "", "not ") + a.one(*s.flags)


def branch(a: Author, s: Scope) -> None:
    """An if, with or without else."""
    if not s.flags:
        return
    a.write(s, f"if {_test(a, s)}:")
    arms = [_arm(a, s, a.random.randrange(1, 3))]
    if a.chance(0.6):
        a.write(s, "else:")
        arms.append(_arm(a, s, a.random.randrange(1, 3)))
    _join(s, *arms)


def one_of_two(a: Author, s: Scope) -> None:
    """Both arms draw from the same key, by if, conditional expression or a second test."""
    key = a.take(s)
    if key is None or not s.flags:
        return
    flag, other = a.one(*s.flags), a.one(*s.flags)
    match a.random.randrange(4):
        case 0:
            a.write(s, f"if {flag}:")
            a.write(s.inner([]), f"{s.total} = {s.total} + {a.draw(key)}")
            a.write(s, "else:")
            a.write(s.inner([]), f"{s.total} = {s.total} - {a.draw(key)}")
        case 1:
            a.add(s, f"({a.draw(key)} if {flag} else {a.draw(key)})")
        case 2:
            a.write(s, f"if {flag}:")
            a.write(s.inner([]), f"{s.total} = {s.total} + {a.draw(key)}")
            a.write(s, f"if not {other if a.errs() else flag}:")
            a.write(s.inner([]), f"{s.total} = {s.total} - {a.draw(key)}")
        case _:
            a.add(s, f"({a.draw(key)} if {flag} else jnp.zeros(3))")


def early_return(a: Author, s: Scope) -> None:
    """A branch that leaves draws from a key that is used after it."""
    fresh = [one for one in s.held if not one.used]
    if not s.flags or not s.leaves or not fresh:
        return
    inner = s.inner([])
    a.write(s, f"if {_test(a, s)}:")
    a.write(inner, f"{s.total} = {s.total} + {a.draw(a.random.choice(fresh).text)}")
    if not a.errs(0.5):
        a.write(inner, s.leaves)


def raises(a: Author, s: Scope) -> None:
    """A branch that raises."""
    if s.flags and s.held:
        inner = s.inner([])
        a.write(s, f"if {_test(a, s)}:")
        a.write(inner, f"print({a.draw(a.random.choice(s.held).text)})")
        a.write(inner, 'raise ValueError("unwanted")')


def _turn(a: Author, s: Scope, held: Held, index: str) -> str:
    """Write how a key is derived for one turn; returns it."""
    sub, way = a.name("sub"), a.random.random()
    if a.errs():
        return _same_each_turn(a, s, held, sub)
    if way < 0.5 or not index:
        order = f"{held.text}, {sub}" if a.chance(0.8) else f"{sub}, {held.text}"
        a.write(s, f"{order} = {a.jr}.split({held.text})")
    elif way < 0.8:
        a.write(s, f"{sub} = {a.jr}.fold_in({held.text}, {index})")
    else:
        a.write(s, f"{sub} = {a.jr}.fold_in({held.text}, {index} + 1)")
    return sub


def _same_each_turn(a: Author, s: Scope, held: Held, sub: str) -> str:
    match a.random.randrange(5):
        case 0:
            return held.text
        case 1:
            a.write(s, f"_, {sub} = {a.jr}.split({held.text})")
        case 2:
            a.write(s, f"{sub} = {a.jr}.fold_in({held.text}, 11)")
        case 3:
            a.write(s, f"{held.text}, {sub} = {a.jr}.split({held.text})")
            return held.text
        case _:
            a.write(s, f"{sub} = {a.jr}.split({held.text}, {TURNS})[0]")
    return sub


def loop(a: Author, s: Scope) -> None:
    """A loop that derives a key on each turn."""
    held = a.carried(s)
    if held is None:
        return
    index, count = a.name("i"), 1 if a.chance(0.07) else TURNS
    if a.chance(0.85):
        a.write(s, f"for {index} in range({count}):")
        inner = s.inner([], index)
        sub = _turn(a, inner, held, index)
    else:
        a.write(s, f"{index} = 0")
        a.write(s, f"while {index} < {count}:")
        inner = s.inner([], index)
        a.write(inner, f"{index} += 1")
        sub = _turn(a, inner, held, index)
    _body(a, inner, sub)


def _body(a: Author, inner: Scope, sub: str) -> None:
    """The rest of a loop's body: it uses up the turn's key, with more of the grammar or without."""
    a.hold(inner, sub, can_bind=sub.isidentifier())
    if a.chance(0.4) and inner.depth < 3:
        a.blocks(a, inner, 1)
    left = [one for one in inner.held if not one.used]
    a.add(inner, a.draw(a.random.choice(left).text) if left else f"jnp.ones({SHAPE})")
    if inner.flags and a.chance(0.15):
        a.write(inner, f"if {a.one(*inner.flags)}:")
        a.write(inner.inner([]), a.one("break", "continue"))


def loop_over_keys(a: Author, s: Scope) -> None:
    """A loop over the children of a split."""
    parent = a.take(s, whole=True)
    if parent is None:
        return
    sub, index = a.name("sub"), a.name("i")
    keys = f"{a.jr}.split({parent}, {TURNS})"
    if a.chance(0.4):
        name = a.name("keys")
        a.write(s, f"{name} = {keys}")
        keys = name
    if a.chance(0.4):
        a.write(s, f"for {sub} in {keys}:")
    elif a.chance(0.4):
        a.write(s, f"for {index}, {sub} in enumerate({keys}):")
    elif a.chance(0.4):
        a.write(s, f"for {index}, {sub} in zip(range({TURNS}), {keys}):")
    elif keys.isidentifier():
        a.write(s, f"for {index} in range({TURNS}):")
        sub = f"{keys}[{0 if a.errs() else index}]"
        inner = s.inner([])
        a.add(inner, a.draw(sub))
        return
    else:
        a.write(s, f"for {sub} in {keys}:")
    _body(a, s.inner([]), parent if a.errs() else sub)


def comprehension(a: Author, s: Scope) -> None:
    """A comprehension or generator that draws for each element."""
    held = a.carried(s)
    if held is None:
        return
    held.used = True
    if a.errs():
        key, over = held.text, f"_ in range({TURNS})"
    elif a.chance(0.6):
        key, over = "q", f"q in {a.jr}.split({held.text}, {TURNS})"
    else:
        key, over = f"{a.jr}.fold_in({held.text}, n)", f"n in range({TURNS})"
    form = a.one("sum([{} for {}])", "sum({} for {})", "jnp.stack([{} for {}]).sum(0)")
    a.add(s, form.format(a.draw(key), over))


FRAGMENTS = (
    (5, branch), (3, one_of_two), (2, early_return), (1, raises), (5, loop), (3, loop_over_keys), (2, comprehension),
)  # fmt: skip
