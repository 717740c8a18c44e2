"""Fragments with objects that hold keys: records that are replaced, instances that write back, or do not."""

from __future__ import annotations

from tests.fuzzing.writing import TURNS, Author, Line, Page, Scope

RECORDS = ("NamedTuple", "dataclass", "struct")
IMPORTS = {
    "NamedTuple": "from typing import NamedTuple",
    "dataclass": "import dataclasses",
    "struct": "import flax.struct",
}


def _record(a: Author) -> tuple[str, str]:
    """A record with a key and an array; returns its name, and how a changed copy is made."""
    kind, name = a.random.choice(RECORDS), a.name("State")
    a.imports.add(IMPORTS[kind])
    head = {"NamedTuple": "class {}(NamedTuple):", "dataclass": "class {}:", "struct": "class {}:"}[kind].format(name)
    decorator = {"dataclass": "@dataclasses.dataclass(frozen=True)", "struct": "@flax.struct.dataclass"}.get(kind)
    lines = [*([decorator] if decorator else []), head, "    rng: jax.Array", "    x: jax.Array"]
    a.put([Line(line, a.feature) for line in lines])
    change = {
        "NamedTuple": "{0}._replace({1})", "dataclass": "dataclasses.replace({0}, {1})", "struct": "{0}.replace({1})",
    }[kind]  # fmt: skip
    return name, change


def record(a: Author, s: Scope) -> None:
    """A record is made, and its key is drawn from or advanced."""
    key = a.take(s)
    if key is None:
        return
    name, change = _record(a)
    state, sub = a.name("state"), a.name("sub")
    a.write(s, f"{state} = {name}({a.one('rng={}, x={}', '{}, {}').format(key, s.total)})")
    if a.chance(0.3):
        a.add(s, a.draw(f"{state}.rng"))
        a.add(s, a.draw(key if a.errs() else f"{a.jr}.fold_in({key}, 5)"))
        return
    fresh = a.name("k")
    a.write(s, f"{fresh}, {sub} = {a.jr}.split({state}.rng)")
    target = a.name("state") if a.errs() else state
    a.write(s, f"{target} = {change.format(state, f'rng={fresh}, x={state}.x + {a.draw(sub)}')}")
    a.write(s, f"{s.total} = {s.total} + {target}.x")
    a.hold(s, f"{state}.rng", can_bind=False)


def stepped(a: Author, s: Scope) -> None:
    """A function takes a record and returns the next; the new key goes into it, or does not."""
    key = a.take(s)
    if key is None:
        return
    name, change = _record(a)
    step, state = a.name("advance"), a.name("state")
    page: Page = []
    body = Scope(page, 1, [], "x", depth=2)
    page.append(Line(f"def {step}(state):", a.feature))
    value = f"x=state.x + {a.draw('sub')}"
    if a.errs():
        a.write(body, f"{a.one('_, sub', 'fresh, sub')} = {a.jr}.split(state.rng)")
    else:
        a.write(body, f"fresh, sub = {a.jr}.split(state.rng)")
        value = f"rng={'sub' if a.errs() else 'fresh'}, {value}"
    a.write(body, f"return {change.format('state', value)}")
    a.put(page)
    if a.elsewhere[-1] is False and any(line.text == f"def {step}(state):" for line in a.aids):
        return
    a.write(s, f"{state} = {name}({key}, {s.total})")
    if a.chance(0.4):
        a.write(s, f"for {a.name('i')} in range({TURNS}):")
        a.write(s.inner([]), f"{state} = {step}({state})")
    else:
        for _ in range(a.random.randrange(1, 3)):
            a.write(s, f"{state} = {step}({state})")
    a.write(s, f"{s.total} = {s.total} + {state}.x")


def instance(a: Author, s: Scope) -> None:
    """An instance whose methods consume its key, and write the new one back, or do not."""
    key = a.take(s)
    if key is None:
        return
    name, made = a.name("Noise"), a.name("noise")
    page: Page = [Line(f"class {name}:", a.feature)]
    method = Scope(page, 1, [], "x", depth=2)
    a.write(method, "def __init__(self, key):")
    a.write(method, "    self.key = key")
    page.append(Line("", a.feature))
    a.write(method, "def draw(self):")
    way = a.random.randrange(3)
    if a.errs():
        a.write(method, f"    {a.one('_', 'key')}, sub = {a.jr}.split(self.key)")
        a.write(method, f"    return {a.draw(a.one('sub', 'self.key'))}")
    elif way == 0:
        a.write(method, f"    self.key, sub = {a.jr}.split(self.key)")
        a.write(method, f"    return {a.draw('sub')}")
    elif way == 1:
        a.write(method, f"    key, sub = {a.jr}.split(self.key)")
        a.write(method, "    self.key = key")
        a.write(method, f"    return {a.draw('sub')}")
    else:
        _next_key(a, method)
    a.put(page)
    a.write(s, f"{made} = {name}({key})")
    if a.chance(0.3):
        a.write(s, f"for {a.name('i')} in range({TURNS}):")
        a.write(s.inner([]), f"{s.total} = {s.total} + {made}.draw()")
    else:
        for _ in range(a.random.randrange(1, 3)):
            a.add(s, f"{made}.draw()")
    if a.errs(0.5):
        a.add(s, a.draw(key))


def _next_key(a: Author, method: Scope) -> None:
    a.write(method, f"    return {a.draw('self.next_key()')}")
    method.page.append(Line("", a.feature))
    a.write(method, "def next_key(self):")
    a.write(method, f"    self.key, sub = {a.jr}.split(self.key)")
    a.write(method, "    return sub")


def attribute(a: Author, s: Scope) -> None:
    """A namespace's attribute or a dict's entry is advanced in place."""
    key = a.take(s)
    if key is None:
        return
    name, sub = a.name("held"), a.name("sub")
    if a.chance(0.5):
        a.imports.add("from types import SimpleNamespace")
        a.write(s, f"{name} = SimpleNamespace(rng={key}, step=0)")
        place = f"{name}.rng"
    else:
        a.write(s, f'{name} = {{"rng": {key}, "step": 0}}')
        place = f'{name}["rng"]'
    a.write(s, f"{place}, {sub} = {a.jr}.split({place})")
    a.add(s, a.draw(sub))
    a.hold(s, place)


FRAGMENTS = ((3, record), (3, stepped), (3, instance), (2, attribute))
