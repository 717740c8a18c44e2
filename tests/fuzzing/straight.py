"""Fragments without control flow: draws, splits, derivations, containers, what is bound or looked at."""

from __future__ import annotations

from tests.fuzzing.writing import MOST_SPLIT, Author, Scope


def draw(a: Author, s: Scope) -> None:
    """One draw."""
    key = a.take(s)
    if key is not None:
        a.add(s, a.draw(key))


def two_in_one(a: Author, s: Scope) -> None:
    """Two draws in one expression."""
    one, two = a.take(s), a.take(s)
    if one is not None and two is not None:
        a.add(s, f"({a.draw(one)} - {a.draw(two)})")


def split(a: Author, s: Scope) -> None:
    """A key is split into names, its own among them or not."""
    held = a.random.choice(s.held) if s.held and a.errs() else a.carried(s)
    if held is None:
        return
    number = a.random.randrange(2, MOST_SPLIT + 1)
    names = [a.name("k") for _ in range(number)]
    count = "" if number == 2 else a.one(f", {number}", f", num={number}")
    if held.can_bind and a.chance(0.5):
        names[0] = held.text
    elif not a.errs():
        held.used = True
    a.write(s, f"{', '.join(names)} = {a.jr}.split({held.text}{count})")
    for name in names:
        a.hold(s, name)


def split_array(a: Author, s: Scope) -> None:
    """The children stay in one array, of which elements and slices are taken."""
    parent = a.take(s, whole=True)
    if parent is None:
        return
    keys, number = a.name("keys"), a.random.randrange(2, MOST_SPLIT + 1)
    a.write(s, f"{keys} = {a.jr}.split({parent}, {number})")
    way = a.random.random()
    if way < 0.5:
        for position in range(number):
            text = position if a.chance(0.8) else position - number
            a.hold(s, f"{keys}[{text}]", can_bind=False)
    elif way < 0.7:
        first, rest = a.name("k"), a.name("rest")
        a.write(s, f"{first}, {rest} = {keys}[0], {keys}[1:]")
        a.hold(s, first)
        if number > 2:
            a.hold(s, f"{rest}[0]", can_bind=False)
    elif way < 0.85:
        names = [a.name("k") for _ in range(number)]
        a.write(s, f"{', '.join(names)} = {keys}")
        for name in names:
            a.hold(s, name)
        if a.errs():
            a.hold(s, f"{keys}[0]", can_bind=False)
    else:
        a.add(s, f"jax.vmap(lambda q: {a.draw('q')})({keys}).sum(0)")
        if a.errs():
            a.add(s, a.draw(f"{keys}[{a.random.randrange(number)}]"))


def split_starred(a: Author, s: Scope) -> None:
    """A starred target takes the rest."""
    held = a.carried(s)
    if held is None:
        return
    number, rest = a.random.randrange(3, MOST_SPLIT + 2), a.name("rest")
    first = held.text if a.chance(0.7) else a.name("k")
    held.used = first != held.text
    a.write(s, f"{first}, *{rest} = {a.jr}.split({held.text}, {number})")
    a.hold(s, first)
    for position in range(number - 1):
        a.hold(s, f"{rest}[{position}]", can_bind=False)


def split_at_once(a: Author, s: Scope) -> None:
    """An element of a split is taken at once."""
    held = a.carried(s)
    if held is None:
        return
    if a.chance(0.5):
        a.write(s, f"{held.text} = {a.jr}.split({held.text}, 1)[0]")
        return
    held.used = True
    position = a.random.randrange(2)
    a.bind(s, f"{a.jr}.split({held.text})[{position}]")
    if a.errs():
        a.bind(s, f"{a.jr}.split({held.text})[{1 - position}]")


def listed(a: Author, s: Scope) -> None:
    """The children stand in a list, or are taken one by one."""
    parent = a.take(s, whole=True)
    if parent is None:
        return
    name, way = a.name("keys"), a.random.randrange(3)
    if way == 0:
        a.write(s, f"{name} = list({a.jr}.split({parent}, 3))")
        for position in range(3):
            a.hold(s, f"{name}[{position}]")
    elif way == 1:
        a.write(s, f"{name} = iter({a.jr}.split({parent}, 3))")
        a.add(s, a.draw(f"next({name})"))
        a.add(s, a.draw(f"next({name})"))
    else:
        a.write(s, f"{name} = list({a.jr}.split({parent}, 3))")
        a.add(s, a.draw(f"{name}.pop()"))
        a.add(s, a.draw(f"{name}.pop()"))


def fold(a: Author, s: Scope) -> None:
    """Keys are derived with differing data, or with the same."""
    held = a.carried(s)
    if held is None:
        return
    first = a.random.randrange(50, 90)
    data = [str(first), str(first if a.errs() else first + 1 + a.random.randrange(9))]
    if a.chance(0.1):
        data[0] = a.one('zlib.crc32(b"noise")', 'hash("noise") % 1000' if a.errs() else 'zlib.crc32(b"noise")')
        a.imports.add("import zlib")
    held.used = True
    for number in data[: a.random.randrange(1, 3)]:
        a.bind(s, f"{a.jr}.fold_in({held.text}, {number})")
    if a.errs(0.3):
        a.bind(s, f"{a.jr}.split({held.text})[1]")
        a.bind(s, f"{a.jr}.fold_in({held.text}, {a.one('1', '1', '3')})")


def clone(a: Author, s: Scope) -> None:
    """A clone may be used beside the original."""
    held = a.carried(s)
    if held is not None:
        a.bind(s, f"{a.jr}.clone({held.text})")


def source(a: Author, s: Scope) -> None:
    """A key is made of a constant, where that is done once."""
    if s.may_seed or a.errs(0.3):
        a.bind(s, a.seeded())


def alias(a: Author, s: Scope) -> None:
    """A second name of a key; the first is forgotten, or is not."""
    held = a.carried(s)
    if held is None:
        return
    name = a.name("same")
    a.write(s, f"{name} = {held.text}")
    a.hold(s, name)
    held.used = not a.errs()


def looked_at(a: Author, s: Scope) -> None:
    """What only looks at a key, or passes it on, does not use it up."""
    held = a.carried(s)
    if held is None:
        return
    match a.random.randrange(5):
        case 0:
            a.write(s, f"print({a.jr}.key_data({held.text}))")
        case 1:
            a.write(s, f"{held.text} = jax.device_put({held.text})")
        case 2:
            a.write(s, f"assert isinstance({held.text}, jax.Array)")
        case 3:
            a.write(s, f"print({held.text}.ndim, {held.text}.dtype)")
        case _:
            drawn = a.draw("q")
            a.write(s, f"shape = jax.eval_shape(lambda q: {drawn}, {held.text}).shape")
            a.write(s, f"{s.total} = {s.total} + jnp.zeros(shape)")


def in_dict(a: Author, s: Scope) -> None:
    """Keys are entries of a dict."""
    one = a.take(s)
    two = one if a.errs(0.5) else a.take(s)
    if one is None or two is None:
        return
    name = a.name("keys")
    form = a.one(f'{{"a": {one}, "b": {two}}}', f"dict(a={one}, b={two})")
    a.write(s, f"{name} = {form}")
    a.hold(s, f'{name}["a"]')
    a.hold(s, f'{name}["b"]')


def in_tuple(a: Author, s: Scope) -> None:
    """Keys are elements of a tuple, beside something else."""
    one, two = a.take(s), a.take(s)
    if one is None or two is None:
        return
    name = a.name("pair")
    a.write(s, f"{name} = ({one}, ({two}, 1.0))")
    if a.chance(0.5):
        a.hold(s, f"{name}[0]", can_bind=False)
        a.hold(s, f"{name}[1][0]", can_bind=False)
        return
    first, second, other = a.name("k"), a.name("k"), a.name("c")
    a.write(s, f"{first}, ({second}, {other}) = {name}")
    a.write(s, f"{s.total} = {s.total} * {other}")
    a.hold(s, first)
    a.hold(s, second)


def selected(a: Author, s: Scope) -> None:
    """One of two keys is chosen by a flag."""
    one, two = a.take(s), a.take(s)
    if one is None or two is None or not s.flags:
        return
    a.bind(s, f"{one} if {a.one(*s.flags)} else {two}")


def stacked(a: Author, s: Scope) -> None:
    """Keys are stacked, one key repeatedly or several."""
    one = a.take(s)
    two = one if a.errs() else a.take(s)
    if one is not None and two is not None:
        keys = a.name("keys")
        a.write(s, f"{keys} = jnp.stack([{one}, {two}])")
        a.add(s, f"jax.vmap(lambda q: {a.draw('q')})({keys}).sum(0)")


def discarded(a: Author, s: Scope) -> None:
    """What a derivation returns is thrown away."""
    held = a.carried(s)
    if held is not None and a.errs(0.5):
        a.write(s, f"{a.jr}.{a.one('split({})', 'fold_in({}, 7)').format(held.text)}")
        a.add(s, a.draw(held.text))
        held.used = True


def decoy(a: Author, s: Scope) -> None:
    """What is called a key and is none: of a dict, of a sort, of attention."""
    name = a.name("key")
    match a.random.randrange(3):
        case 0:
            a.write(s, f'for {name} in ("a", "b"):')
            a.write(s.inner([]), f'{s.total} = {s.total} + {{"a": 1.0, "b": 2.0}}[{name}]')
        case 1:
            a.write(s, f"{s.total} = {s.total} + sorted([3.0, 1.0], key=lambda {name}: -{name})[0]")
        case _:
            a.write(s, f"{name} = {s.total} * 0.5")
            a.write(s, f"{s.total} = {s.total} + jnp.tanh({name}) * {name}")


FRAGMENTS = (
    (9, draw), (2, two_in_one), (6, split), (4, split_array), (2, split_starred), (2, split_at_once), (2, listed),
    (3, fold), (1, clone), (1, source), (2, alias), (2, looked_at), (2, in_dict), (2, in_tuple), (2, selected),
    (1, stacked), (1, discarded), (1, decoy),
)  # fmt: skip
