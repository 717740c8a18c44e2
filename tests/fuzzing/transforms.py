"""Fragments that hand functions to JAX: vmap, scan, fori_loop, while_loop, cond, switch, map, tree.map, grad, jit."""

from __future__ import annotations

from tests.fuzzing.writing import TURNS, Author, Held, Scope


def _given(a: Author, s: Scope, key: str, parameters: str, result: str, start: str = "lane") -> str:
    """A function of some parameters: a lambda, or a name of a local function."""
    if a.chance(0.5):
        return f"lambda {parameters}: {result}"
    name = a.name(start)
    a.write(s, f"def {name}({parameters}):")
    a.write(s.inner([]), f"return {result}")
    return name


def mapped(a: Author, s: Scope) -> None:
    """Lanes with a key each; or with the same key, captured or not mapped."""
    held = a.carried(s)
    if held is None:
        return
    held.used = True
    key, keys = held.text, f"{a.jr}.split({held.text}, {TURNS})"
    rows = f"jnp.zeros(({TURNS}, 3))"
    if a.errs():
        if a.chance(0.5):
            function = _given(a, s, key, "y", f"y + {a.draw(key)}")
            a.add(s, f"jax.vmap({function})({rows}).sum(0)")
        else:
            function = _given(a, s, key, "y, q", f"y + {a.draw('q')}")
            axes = a.one("(0, None)", "(0, None)")
            a.add(s, f"jax.vmap({function}, in_axes={axes})({rows}, {key}).sum(0)")
        return
    match a.random.randrange(4):
        case 0:
            function = _given(a, s, key, "q", a.draw("q"))
            a.add(s, f"jax.vmap({function})({keys}).sum(0)")
        case 1:
            function = _given(a, s, key, "q, y", f"y + {a.draw('q')}")
            a.add(s, f"jax.vmap({function}, in_axes=(0, None))({keys}, {s.total}).sum(0)")
        case 2:
            inner = f"{a.jr}.fold_in({key}, n)"
            function = _given(a, s, key, "n", a.draw(inner))
            a.add(s, f"jax.vmap({function})(jnp.arange({TURNS})).sum(0)")
        case _:
            name = a.name("lanes")
            function = _given(a, s, key, "q, y", f"y * {a.draw('q')}")
            a.write(s, f"{name} = jax.vmap({function})")
            a.add(s, f"{name}({keys}, {rows}).sum(0)")


def scanned(a: Author, s: Scope) -> None:
    """The body of a scan, whose keys come in as elements, in the carry or captured."""
    held = a.carried(s)
    if held is None:
        return
    name, key = a.name("body"), held.text
    way = a.random.random()
    if way < 0.35:
        held.used = True
        inner = _begin(a, s, name, "y, q", [Held("q")], "y")
        a.blocks(a, inner, a.random.randrange(2))
        _finish(a, inner, a.draw(key) if a.errs() else "")
        a.write(inner, "return y, y.sum()")
        a.write(s, f"{s.total}, _ = jax.lax.scan({name}, {s.total}, {a.jr}.split({key}, {TURNS}))")
    elif way < 0.7:
        _scanned_in_the_carry(a, s, held, name)
    else:
        held.used = a.chance(0.8)
        sub = f"{a.jr}.fold_in({key}, {3 if a.errs() else 'n'})"
        inner = _begin(a, s, name, "y, n", [], "y")
        a.add(inner, a.draw(key if a.errs() else sub))
        a.write(inner, "return y, None")
        a.write(s, f"{s.total}, _ = jax.lax.scan({name}, {s.total}, jnp.arange({TURNS}))")


def _begin(a: Author, s: Scope, name: str, parameters: str, held: list[Held], total: str) -> Scope:
    a.write(s, f"def {name}({parameters}):")
    inner = s.inner(held)
    inner.total = total
    return inner


def _finish(a: Author, inner: Scope, instead: str = "") -> None:
    """Draw from a key that is left."""
    left = [one for one in inner.held if not one.used]
    if instead or left:
        a.add(inner, instead or a.draw(left[0].text))


def _scanned_in_the_carry(a: Author, s: Scope, held: Held, name: str) -> None:
    sub = a.name("sub")
    inner = _begin(a, s, name, "carry, _", [], "y")
    a.write(inner, "y, q = carry")
    if a.errs():
        a.add(inner, a.draw("q"))
        if a.chance(0.5):
            a.write(inner, f"q, {sub} = {a.jr}.split(q)")
    else:
        order = "q, {}" if a.chance(0.8) else "{}, q"
        a.write(inner, f"{order.format(sub)} = {a.jr}.split(q)")
        a.add(inner, a.draw("q" if a.errs() else sub))
    a.write(inner, "return (y, q), None")
    a.write(s, f"({s.total}, {held.text}), _ = jax.lax.scan({name}, ({s.total}, {held.text}), None, length={TURNS})")


def fori(a: Author, s: Scope) -> None:
    """The body of a fori_loop."""
    held = a.carried(s)
    if held is None:
        return
    name, key, sub = a.name("body"), held.text, a.name("sub")
    if a.chance(0.5):
        inner = _begin(a, s, name, "n, y", [], "y")
        a.add(inner, a.draw(key if a.errs() else f"{a.jr}.fold_in({key}, n)"))
        a.write(inner, "return y")
        a.write(s, f"{s.total} = jax.lax.fori_loop(0, {TURNS}, {name}, {s.total})")
        held.used = a.chance(0.7)
        return
    inner = _begin(a, s, name, "_, carry", [], "y")
    a.write(inner, "q, y = carry")
    if a.errs():
        a.add(inner, a.draw("q"))
    else:
        a.write(inner, f"q, {sub} = {a.jr}.split(q)")
        a.add(inner, a.draw(sub))
    a.write(inner, "return q, y")
    target = a.name("k") if a.errs() else key
    a.write(s, f"{target}, {s.total} = jax.lax.fori_loop(0, {TURNS}, {name}, ({key}, {s.total}))")


def while_loop(a: Author, s: Scope) -> None:
    """A while_loop that carries a key."""
    held = a.carried(s)
    if held is None:
        return
    name, sub = a.name("body"), a.name("sub")
    inner = _begin(a, s, name, "carry", [], "y")
    a.write(inner, "n, q, y = carry")
    if a.errs():
        a.add(inner, a.draw(a.one("q", held.text)))
    else:
        a.write(inner, f"q, {sub} = {a.jr}.split(q)")
        a.add(inner, a.draw(sub))
    a.write(inner, "return n + 1, q, y")
    test = f"lambda carry: carry[0] < {TURNS}"
    a.write(s, f"_, {held.text}, {s.total} = jax.lax.while_loop({test}, {name}, (0, {held.text}, {s.total}))")


def cond(a: Author, s: Scope) -> None:
    """The arms of a cond or switch draw from one key, given or captured."""
    key = a.take(s)
    if key is None or not s.flags:
        return
    flag, total = a.one(*s.flags), s.total
    if a.chance(0.3):
        arms = f"[lambda q: {a.draw('q')} + 0.0, lambda q: {a.draw('q')} + 0.0, lambda q: jnp.zeros({(3,)})]"
        a.write(s, f"{total} = {total} + jax.lax.switch(jnp.where({flag}, 1, 0), {arms}, {key})")
    elif a.chance(0.5):
        arms = f"lambda q: {a.draw('q')} + 0.0, lambda q: {a.draw('q')} + 0.0"
        a.write(s, f"{total} = {total} + jax.lax.cond({flag}, {arms}, {key})")
    else:
        arms = f"lambda: {total} + {a.draw(key)}, lambda: {total} - {a.draw(key)}"
        a.write(s, f"{total} = jax.lax.cond({flag}, {arms})")
    if a.errs(0.5):
        a.add(s, a.draw(key))


def lax_map(a: Author, s: Scope) -> None:
    """A function is mapped over keys, or over something else with a captured key."""
    held = a.carried(s)
    if held is None:
        return
    held.used = True
    key = held.text
    if a.errs():
        a.add(s, f"jax.lax.map(lambda y: y + {a.draw(key)}, jnp.zeros(({TURNS}, 3))).sum(0)")
    elif a.chance(0.5):
        a.add(s, f"jax.lax.map(lambda q: {a.draw('q')}, {a.jr}.split({key}, {TURNS})).sum(0)")
    else:
        drawn = a.draw(f"{a.jr}.fold_in({key}, n)")
        a.add(s, f"jax.lax.map(lambda n: {drawn}, jnp.arange({TURNS})).sum(0)")


def tree_mapped(a: Author, s: Scope) -> None:
    """A function is applied to the leaves of a tree, with a key for each or one for all."""
    held = a.carried(s)
    if held is None:
        return
    tree = a.name("tree")
    a.write(s, f'{tree} = {{"a": {s.total}, "b": {s.total} * 2.0}}')
    if a.errs():
        a.write(s, f"{tree} = jax.tree.map(lambda p: p + {a.draw(held.text)}, {tree})")
        held.used = True
    else:
        one, two = a.name("k"), a.name("k")
        a.write(s, f"{held.text}, {one}, {two} = {a.jr}.split({held.text}, 3)")
        keys = f'{{"a": {one}, "b": {two}}}'
        a.write(s, f"{tree} = jax.tree.map(lambda p, q: p + {a.draw('q')}, {tree}, {keys})")
    a.write(s, f'{s.total} = {tree}["a"] + {tree}["b"]')


def differentiated(a: Author, s: Scope) -> None:
    """A loss that draws is differentiated."""
    key = a.take(s)
    if key is None:
        return
    loss = a.name("loss")
    a.write(s, f"def {loss}(y, q):")
    a.write(s.inner([]), f"return (y * {a.draw('q')}).sum()")
    if a.chance(0.5):
        a.add(s, f"jax.grad({loss})({s.total}, {key})")
    else:
        value, slope = a.name("v"), a.name("g")
        a.write(s, f"{value}, {slope} = jax.value_and_grad({loss})({s.total}, {key})")
        a.write(s, f"{s.total} = {s.total} - {value} * {slope}")
    if a.errs(0.5):
        a.add(s, f"jax.grad({loss})({s.total}, {key})")


def jitted(a: Author, s: Scope) -> None:
    """A local function is jitted or checkpointed, and given keys; or it captures one."""
    key = a.take(s)
    if key is None:
        return
    name, wrap = a.name("fast"), a.one("jax.jit", "jax.jit", "jax.checkpoint")
    captures = a.errs()
    a.write(s, f"@{wrap}")
    a.write(s, f"def {name}({'y' if captures else 'y, q'}):")
    a.write(s.inner([]), f"return y + {a.draw(key if captures else 'q')}")
    for _ in range(a.random.randrange(1, 3)):
        if captures:
            a.write(s, f"{s.total} = {name}({s.total})")
            continue
        a.write(s, f"{s.total} = {name}({s.total}, {key})")
        other = key if a.errs() else a.take(s)
        if other is None:
            return
        key = other


FRAGMENTS = (
    (4, mapped), (4, scanned), (2, fori), (2, while_loop), (2, cond), (1, lax_map), (1, tree_mapped),
    (1, differentiated), (2, jitted),
)  # fmt: skip
