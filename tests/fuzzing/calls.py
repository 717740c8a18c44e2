"""Fragments that call: functions of this file and of a second one, closures, lambdas, partials, jitted functions."""

from __future__ import annotations

from tests.fuzzing.writing import PARAMETERS, SHAPE, TURNS, Author, Held, Line, Page, Scope


def _function(
    a: Author, start: str, parameters: str, held: list[Held], flags: tuple[str, ...] = ()
) -> tuple[str, Scope]:
    """Begin a function at the top of this file or of the second; returns how it is called, and its body."""
    call = name = a.name(start)
    page: Page = []
    is_elsewhere = not a.elsewhere[-1] and a.chance(0.15)
    if is_elsewhere:
        call = f"aid.{name}" if a.chance(0.5) else name
        a.imports.add("import aid" if call != name else f"from aid import {name}")
    elif a.chance(0.15) and not flags:
        page.append(Line("@jax.jit", a.feature))
    a.elsewhere.append(is_elsewhere or a.elsewhere[-1])
    page.append(Line(f"def {name}({parameters}):", a.feature))
    return call, Scope(page, 1, held, "x", flags, depth=2)


def _end(a: Author, scope: Scope, returned: str) -> None:
    """End a function and put it before those that call it."""
    a.write(scope, f"return {returned}")
    a.put(scope.page)
    a.elsewhere.pop()


def consuming(a: Author, s: Scope) -> None:
    """A function that draws from its key, called once or repeatedly."""
    parameter = a.one(*PARAMETERS)
    flags = s.flags[:1] if a.chance(0.3) else ()
    with_default = not flags and a.errs(0.2)
    names = ", ".join((f"x, {parameter}={a.seeded()}" if with_default else f"{parameter}, x", *flags))
    call, body = _function(a, "sample", names, [Held(parameter)], flags)
    body.leaves = "return x" if flags else ""
    a.blocks(a, body, a.random.randrange(1, 4))
    if not body.held[0].used:
        a.add(body, a.draw(parameter))
    _end(a, body, "x")
    for _ in range(a.random.randrange(1, 3)):
        key = a.take(s)
        if key is None:
            return
        given = [key, s.total, *flags]
        if with_default:
            given = [s.total] if a.chance(0.8) else [s.total, key]
        elif a.chance(0.2):
            given = [f"{parameter}={key}", f"x={s.total}", *(f"{flag}={flag}" for flag in flags)]
        a.add(s, f"{call}({', '.join(given)})")


def advancing(a: Author, s: Scope) -> None:
    """A function that returns a new key beside its result; or the one that it used up."""
    parameter = a.one(*PARAMETERS)
    call, body = _function(a, "step", f"{parameter}, x", [Held(parameter)])
    sub = a.name("sub")
    if a.errs():
        a.add(body, a.draw(parameter))
    else:
        a.write(body, f"{parameter}, {sub} = {a.jr}.split({parameter})")
        a.add(body, a.draw(parameter if a.errs() else sub))
    _end(a, body, f"{parameter}, x")
    held = a.carried(s)
    if held is None:
        return
    if a.chance(0.4) and s.depth < 3:
        target = "_" if a.errs() else held.text
        a.write(s, f"for {a.name('i')} in range({TURNS}):")
        a.write(s.inner([]), f"{target}, {s.total} = {call}({held.text}, {s.total})")
        return
    for _ in range(a.random.randrange(1, 3)):
        target = "_" if a.errs() else held.text
        a.write(s, f"{target}, {s.total} = {call}({held.text}, {s.total})")


def deriving(a: Author, s: Scope) -> None:
    """A function that splits a key or folds something in, and draws nothing."""
    parameter = a.one(*PARAMETERS)
    if a.chance(0.5):
        call, body = _function(a, "pair", parameter, [])
        if a.chance(0.5):
            a.write(body, f"first, second = {a.jr}.split({parameter})")
            _end(a, body, "first, second")
        else:
            _end(a, body, f"{a.jr}.split({parameter})")
        key = a.take(s, whole=True)
        if key is not None:
            one, two = a.name("k"), a.name("k")
            a.write(s, f"{one}, {two} = {call}({key})")
            a.hold(s, one)
            a.hold(s, two)
        return
    call, body = _function(a, "derive", f"{parameter}, n", [])
    _end(a, body, f"{a.jr}.fold_in({parameter}, n)")
    held = a.carried(s)
    if held is not None:
        held.used = True
        first = a.random.randrange(100, 120)
        a.bind(s, f"{call}({held.text}, {first})")
        a.bind(s, f"{call}({held.text}, {first if a.errs() else first + 1})")


def closure(a: Author, s: Scope) -> None:
    """A local function or lambda that draws from a captured key, called up to twice."""
    key = a.take(s)
    if key is None:
        return
    name = a.name("noise")
    if a.chance(0.5):
        a.write(s, f"{name} = lambda y: y + {a.draw(key)}")
    else:
        inner = s.inner([])
        a.write(s, f"def {name}(y):")
        a.write(inner, f"return y + {a.draw(key)}")
    for _ in range(2 if a.errs(2.0) else a.random.randrange(2)):
        a.add(s, f"{name}({s.total})")


def closure_given(a: Author, s: Scope) -> None:
    """A local function that is given its keys."""
    name = a.name("noise")
    a.write(s, f"def {name}(q, y=1.0):")
    a.write(s.inner([]), f"return y * {a.draw('q')}")
    for _ in range(a.random.randrange(1, 3)):
        key = a.take(s)
        if key is not None:
            a.add(s, f"{name}({key})")


def advancing_closure(a: Author, s: Scope) -> None:
    """A local function that rebinds the key around it."""
    held = a.carried(s)
    if held is None or not held.text.isidentifier() or s.may_seed or s.indent != 1:
        return
    name, inner, sub = a.name("draws"), s.inner([]), a.name("sub")
    a.write(s, f"def {name}():")
    a.write(inner, f"nonlocal {held.text}")
    if a.errs():
        a.write(inner, f"return {a.draw(held.text)}")
    else:
        a.write(inner, f"{held.text}, {sub} = {a.jr}.split({held.text})")
        a.write(inner, f"return {a.draw(sub)}")
    for _ in range(a.random.randrange(1, 3)):
        a.add(s, f"{name}()")


def bound(a: Author, s: Scope) -> None:
    """A partial that holds a key, called once or repeatedly; or one that is given keys."""
    key = a.take(s)
    if key is None:
        return
    a.imports.add("from functools import partial")
    name = a.name("sampler")
    if a.chance(0.5):
        a.write(s, f"{name} = partial({a.jr}.normal, {key}, {SHAPE})")
        for _ in range(2 if a.errs() else 1):
            a.add(s, f"{name}()")
        return
    a.write(s, f"{name} = partial({a.jr}.normal, shape={SHAPE})")
    a.add(s, f"{name}({key})")
    other = key if a.errs() else a.take(s)
    if other is not None:
        a.add(s, f"{name}({other})")


def chosen(a: Author, s: Scope) -> None:
    """One of two functions is called, as a flag says."""
    key = a.take(s)
    if key is None or not s.flags:
        return
    name, flag = a.name("sampler"), a.one(*s.flags)
    if a.chance(0.6):
        a.write(s, f"{name} = {a.jr}.normal if {flag} else {a.jr}.uniform")
    else:
        a.write(s, f'{name} = {{"a": {a.jr}.normal, "b": {a.jr}.uniform}}["a" if {flag} else "b"]')
    a.add(s, f"{name}({key}, {SHAPE})")
    if a.errs():
        a.add(s, a.draw(key))


def library(a: Author, s: Scope) -> None:
    """A library's function that takes the key by keyword, or under a name in a dict."""
    key = a.take(s)
    if key is None:
        return
    if a.chance(0.5):
        a.imports.add("import equinox as eqx")
        a.add(s, f"eqx.nn.Linear(3, 3, key={key}).weight.sum(0)")
        return
    a.imports.add("import flax.linen as nn")
    layer = a.name("layer")
    a.write(s, f"{layer} = nn.Dropout(0.5, deterministic=False)")
    for _ in range(2 if a.errs() else 1):
        a.add(s, f'{layer}.apply({{}}, {s.total}, rngs={{"dropout": {key}}})')


def streams(a: Author, s: Scope) -> None:
    """Keys come from a stream, whose calls never return the same one."""
    if not s.may_seed:
        return
    a.imports.add("from flax import nnx")
    name = a.name("rngs")
    a.write(s, f"{name} = nnx.Rngs({a.random.randrange(5000)})")
    a.add(s, a.draw(f"{name}.params()"))
    a.bind(s, f"{name}.noise()")


def constant(a: Author, s: Scope) -> None:
    """A function or loop that makes its key of a constant each time; or of a number that it is given."""
    a.hazard, before = max(a.hazard, 0.02), a.hazard
    is_alike = a.errs(2.0)
    a.hazard = before
    start = a.random.randrange(2000, 9000)
    if a.chance(0.3):
        index = a.name("i")
        a.write(s, f"for {index} in range({TURNS}):")
        seed = start if is_alike else f"{start} + {index}"
        a.add(s.inner([]), a.draw(f"{a.jr}.{a.source}({seed})"))
        return
    call, body = _function(a, "noisy", "x" if is_alike else "x, n", [])
    a.write(body, f"key = {a.jr}.{a.source}({start if is_alike else 'n'})")
    a.add(body, a.draw("key"))
    _end(a, body, "x")
    for turn in range(a.random.randrange(1, 3)):
        a.add(s, f"{call}({s.total})" if is_alike else f"{call}({s.total}, {start + turn})")


FRAGMENTS = (
    (5, consuming), (4, advancing), (2, deriving), (3, closure), (2, closure_given), (1, advancing_closure),
    (2, bound), (1, chosen), (2, library), (1, constant), (1, streams),
)  # fmt: skip
