"""The transforms of the grammar: for each, how a call of it is written, and the faults that one may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.contracts.grammar import Leaf, Type, floating, kept, leaves, random_type, value
from tests.contracts.writing import RESULTS, SiteWriter

BODIES = (*RESULTS, "arity: more", "arity: less", "no return", "called")


@dataclass(frozen=True, slots=True)
class TransformForm:
    """A transform: what writes a site, and its faults."""

    write: Callable[[SiteWriter], list[str]]
    faults: tuple[str, ...]


def _carried(site: SiteWriter) -> Type:
    """A type with a leaf."""
    while True:
        of = random_type(site.choice)
        if list(leaves(of)):
            return of


def _scan(site: SiteWriter) -> list[str]:
    choice, of = site.choice, _carried(site)
    statements, new = site.result(of, "carry")
    size = choice.choice((3, 5))
    xs = choice.choice((f"jnp.ones({size})", f"jnp.arange({size})", f"jnp.zeros(({size}, 2))"))
    form = choice.choice(("array", "pair", "none"))
    output = choice.choice(("None", "x", new, "jnp.zeros(2)"))
    wrong = {"swapped": f"{output}, {new}", "single": new, "three": f"{new}, {output}, None"}
    pair = wrong.get(site.fault, f"{new}, {output}")
    text = site.function("body", ["carry", "x"], statements, f"({pair})")
    text = site.called(text, f"{value(choice, of)}, 0.0")
    xs = {"array": xs, "pair": f"({xs}, jnp.ones({size}))", "none": "None"}[form]
    if site.fault == "lengths":
        xs = f"({xs if form == 'array' else f'jnp.ones({size})'}, jnp.ones(({size + 1}, 2)))"
    length = f", length={size}" if xs == "None" and site.fault != "no length" else ""
    if site.fault == "length":
        xs, length = f"jnp.ones({size})", f", length={size + 2}"
    if site.fault == "keyword":
        call = choice.choice(
            ("scan(fn={f}, init=<init>, xs=<xs>)", "scan({f}, carry=<init>, xs=<xs>)", "scan({f}, <init>, inputs=<xs>)")
        )
    elif site.fault == "order":
        call = "scan(<init>, {f}, <xs>)"
    else:
        call = choice.choice(
            ("scan({f}, <init>, <xs>{n})", "scan({f}, init=<init>, xs=<xs>{n})", "scan(f={f}, init=<init>, xs=<xs>{n})")
        )
    return site.run(_lax(site) + call.format(f=text, n=length), init=value(choice, of), xs=xs)


def _fori(site: SiteWriter) -> list[str]:
    choice, of = site.choice, _carried(site)
    statements, new = site.result(of, "carry")
    names = ["carry", "i"] if site.fault == "order of parameters" else ["i", "carry"]
    if site.fault == "pair":
        new = f"({new}, None)"
    text = site.function("body", names, statements, new)
    text = site.called(text, f"0, {value(choice, of)}")
    bounds = choice.choice(("0, 4", "0, 10", "jnp.int32(0), 3"))
    if site.fault == "bound":
        bounds = choice.choice(("0, 4.0", "0, 9 / 3", "0.5, 3", "0, jnp.ones(3)"))
    forms = ("fori_loop({b}, {f}, <init>)", "fori_loop({b}, body_fun={f}, init_val=<init>)")
    if site.fault == "keyword":
        forms = ("fori_loop({b}, {f}, init=<init>)", "fori_loop(start=0, stop=4, body_fun={f}, init_val=<init>)")
    if site.fault == "order":
        forms = ("fori_loop({b}, <init>, {f})", "fori_loop({f}, {b}, <init>)")
    return site.run(_lax(site) + choice.choice(forms).format(b=bounds, f=text), init=value(choice, of))


def _while(site: SiteWriter) -> list[str]:
    choice, of = site.choice, _carried(site)
    path, leaf = choice.choice(list(leaves(of)))
    fault, form = site.fault, site.form
    statements, new = site.result(of, "carry")
    text = site.function("body", ["carry"], statements, new)
    text = site.called(text, value(choice, of))
    reached = "carry" + _indices(of, path)
    reached = reached if leaf.dtype != "bool" else f"({reached}).astype(int)"
    one = f"jnp.sum({reached}) < 3"
    if not leaf.shape:
        one = choice.choice((f"{reached} < 3", f"jnp.logical_not({reached} > 2)"))
    if fault == "truth: shape":
        one = f"jnp.sum({reached}) + jnp.zeros(2) < 3"
    elif fault == "truth: dtype":
        one = choice.choice((f"jnp.sum({reached})", "1", "1.0", f"jnp.where({one}, 1, 0)"))
    elif fault == "truth: tuple":
        one = choice.choice((f"({one}, True)", f"[{one}]"))
    site.fault, site.form = ("no return" if fault == "truth: no return" else ""), choice.choice((form, "def", "lambda"))
    condition = site.function("cond", ["carry"], [], one)
    site.fault, site.form = fault, form
    forms = ("while_loop({c}, {f}, <init>)", "while_loop(cond_fun={c}, body_fun={f}, init_val=<init>)")
    if fault == "order":
        forms = ("while_loop(<init>, {c}, {f})", "while_loop({c}, <init>, {f})")
    if fault == "keyword":
        forms = ("while_loop(cond={c}, body_fun={f}, init_val=<init>)", "while_loop({c}, {f}, init=<init>)")
    return site.run(_lax(site) + choice.choice(forms).format(c=condition, f=text), init=value(choice, of))


def _indices(of: Type, path: tuple[int, ...]) -> str:
    text = ""
    for number in path:
        assert not isinstance(of, Leaf)
        text += f'["{"abcd"[number]}"]' if of.form == "dict" else f"[{number}]"
        of = of.parts[number]
    return text


def _arms(site: SiteWriter, count: int, of: Type) -> list[str]:
    """Functions of one operand; the fault is that of one of them."""
    fault, form, made = site.fault, site.form, []
    wrong = site.choice.randrange(count)
    for number in range(count):
        site.fault = fault if number == wrong else ""
        site.form = site.choice.choice((form, "def", "lambda"))
        statements, new = site.result(of, "value")
        text = site.function(f"arm{number}", ["value"], statements, new)
        made.append(site.called(text, "<operand>"))
    site.fault, site.form = fault, form
    return made


def _cond(site: SiteWriter) -> list[str]:
    choice, of = site.choice, _carried(site)
    first, second = _arms(site, 2, of)
    predicate = choice.choice(("True", "jnp.ones(3).sum() > 2", "jnp.array(True)", "jnp.any(jnp.ones(3) > 0)", "1"))
    if site.fault == "predicate":
        predicate = choice.choice(("jnp.ones(3) > 2", "(True, False)", "jnp.array([True])", "None"))
    operands = {"operands: none": "", "operands: two": ", <operand>, 1.0"}.get(site.fault, ", <operand>")
    if site.fault == "keyword":
        operands = choice.choice((", operands=<operand>", ", value=<operand>"))
    call = f"cond({predicate}, {first}, {second}{operands})"
    if site.fault == "order":
        call = f"cond({first}, {second}, {predicate}{operands})"
    return site.run(_lax(site) + call, operand=value(choice, of))


def _switch(site: SiteWriter) -> list[str]:
    choice, of = site.choice, _carried(site)
    arms = _arms(site, choice.choice((2, 3)), of)
    index = choice.choice(("1", "jnp.int32(0)", "jnp.argmax(jnp.ones(2))", "jnp.array(1)"))
    if site.fault == "index":
        index = choice.choice(("1.0", "jnp.ones(3, int)", "jnp.float32(1)", "True", "[1]"))
    operands = {"operands: none": "", "operands: two": ", <operand>, 1.0"}.get(site.fault, ", <operand>")
    listed = choice.choice((f"[{', '.join(arms)}]", f"({', '.join(arms)})"))
    if site.fault == "no list":
        listed = ", ".join(arms)
    return site.run(_lax(site) + f"switch({index}, {listed}{operands})", operand=value(choice, of))


def _loss(site: SiteWriter, names: list[str], of: Type) -> tuple[list[str], str]:
    """Statements, and a number that depends on all floating leaves of the first parameter."""
    choice, fault = site.choice, site.fault
    site.fault = ""
    statements, _ = site.result(of, names[0])
    site.fault = fault
    terms = []
    for path, leaf in leaves(of):
        reached = names[0] + _indices(of, path)
        terms.append(f"jnp.sum({kept(choice, leaf, reached)})" if leaf.is_float else "0.0")
    total = " + ".join(terms)
    if fault == "vector":
        total = choice.choice((f"jnp.stack([{total}, 1.0])", f"({total}) * jnp.ones(3)", f"({total})[None]"))
    elif fault == "integer result":
        rounded = f"jnp.round({total}).astype(jnp.int32)"
        total = choice.choice((f"jnp.sum(({total}) > 0)", f"({total}).astype(int)", rounded))
    elif fault == "pair":
        total = choice.choice((f"({total}, jnp.ones(2))", f"[{total}]", f'{{"loss": {total}}}'))
    return statements, total


def _grad(site: SiteWriter) -> list[str]:
    choice, fault = site.choice, site.fault
    of: Type = floating(choice)
    if choice.random() < 0.5:
        of = random_type(choice)
        of = _with_floats(of) if fault != "integer argument" else of
    if fault == "integer argument" and all(leaf.is_float for _, leaf in leaves(of)):
        of = Leaf(choice.choice(("int32", "int8", "bool")), choice.choice(((), (3,))), False)
    if not list(leaves(of)):
        of = Leaf("float32")
    statements, total = _loss(site, ["params", "x"], of)
    has_aux = choice.random() < 0.3 and fault != "pair"
    if has_aux and fault != "aux: no pair":
        total = f"({total}, {choice.choice(('params', '{}', 'None', 'jnp.ones(3)', '(1, 2)'))})"
    if fault == "aux: no pair":
        has_aux = True
        total = choice.choice((total, f"({total}, 1, 2)", f"({total},)"))
    text = site.function("loss", ["params", "x"], statements, total)
    text = site.called(text, f"{value(choice, of)}, 1.0")
    options = ", has_aux=True" if has_aux else ""
    if fault == "argnums":
        options += choice.choice((", argnums=2", ", argnums=(0, 3)", ", argnums=-3"))
    elif choice.random() < 0.2:
        options += choice.choice((", argnums=0", ", argnums=(0,)", ", argnums=(0, 1)"))
    if fault == "keyword":
        options += choice.choice((", argnum=0", ", aux=True", ", has_auxiliary=True"))
    is_of_scalars = fault in ("vector", "pair")
    name = choice.choice(("grad", "value_and_grad", "grad", "grad" if is_of_scalars else "jacrev"))
    arguments = "<params>, <x>" + (", 3.0" if fault == "extra argument" else "")
    arguments = "<params>" if fault == "missing argument" else arguments
    x = choice.choice(("2.0", "jnp.ones(3)"))
    return site.run(f"jax.{name}({text}{options})({arguments})", params=value(choice, of), x=x)


def _with_floats(of: Type) -> Type:
    if isinstance(of, Leaf):
        return of if of.is_float else Leaf("float32", of.shape)
    return type(of)(of.form, tuple(_with_floats(part) for part in of.parts))


def _jit(site: SiteWriter) -> list[str]:
    choice, of = site.choice, _carried(site)
    result_fault = site.fault
    site.fault = ""
    statements, new = site.result(of, "value")
    site.fault = result_fault
    if result_fault == "foreign result":
        named = f'{{"f": len, "v": {new}}}'
        new = choice.choice((f'({new}, "done")', '"text"', f"{{1, 2}}, {new}", f"{new}, jnp.sin", named))
    text = site.function("compute", ["value"], statements, new)
    text = site.called(text, "<operand>")
    arguments = "<operand>"
    if result_fault == "foreign argument: string":
        arguments = choice.choice(('"text"', '(<operand>, "text")', '{"a": "text"}'))
    elif result_fault == "foreign argument":
        arguments = choice.choice(("jnp.sin", "{1, 2}", "object()", "range(3)", "[len]"))
    name = choice.choice(("jax.jit", "jax.checkpoint", "jax.jit", "jax.eval_shape"))
    call = f"jax.eval_shape({text}, {arguments})" if name == "jax.eval_shape" else f"{name}({text})({arguments})"
    return site.run(call, operand=value(choice, of))


def _vmap(site: SiteWriter) -> list[str]:
    choice, fault = site.choice, site.fault
    size, of = choice.choice((2, 4)), floating(choice)
    statements, new = site.result(of, "value") if fault not in RESULTS else ([], "value")
    new = f"({new}) * jnp.sum(other)"
    text = site.function("each", ["value", "other"], statements, new)
    text = site.called(text, f"{value(choice, of)}, 1.0")
    options = choice.choice(("", ", in_axes=(0, 0)", ", in_axes=0", ", in_axes=(0, None)", ", out_axes=0"))
    if fault == "axes: count":
        options = choice.choice((", in_axes=(0,)", ", in_axes=(0, 0, None)"))
    elif fault == "axes: rank":
        options = choice.choice((", in_axes=(5, 0)", ", in_axes=4", ", out_axes=7"))
    elif fault == "axes: none":
        options = ", in_axes=(None, None)"
    other = f"jnp.ones(({size + (fault == 'sizes')}, 3))"
    if fault == "sizes":
        options = choice.choice(("", ", in_axes=(0, 0)"))
    if fault == "no axes":
        other, options = choice.choice(("1.0", "jnp.float32(2)", "3")), ""
    if fault == "keyword":
        options = choice.choice((", axes=0", ", in_axis=0"))
    first = value(choice, Leaf("float32", (size, *of.shape)))
    return site.run(f"jax.vmap({text}{options})(<value>, <other>)", value=first, other=other)


def _map(site: SiteWriter) -> list[str]:
    choice, fault = site.choice, site.fault
    of = Leaf("float32", choice.choice(((), (3,))))
    statements, new = site.result(of, "value")
    text = site.called(site.function("each", ["value"], statements, new), value(choice, of))
    call = choice.choice(("map({f}, <xs>)", "map({f}, xs=<xs>)"))
    call = {"order": "map(<xs>, {f})", "keyword": "map(fn={f}, xs=<xs>)"}.get(fault, call)
    xs = value(choice, Leaf("float32", (4, *of.shape)))
    return site.run(_lax(site) + call.format(f=text), xs=xs)


def _custom(site: SiteWriter) -> list[str]:
    choice, fault = site.choice, site.fault
    number, of = site.number, floating(choice)
    made, site.form = f"special_{number}", "def"
    saved = choice.choice(("(x, y)", "x", "{'x': x}"))
    forward = {"forward: single": "x * y", "forward: three": f"x * y, {saved}, y"}.get(fault, f"x * y, {saved}")
    names = {"backward: arity": "g", "backward: three": "saved, g, more"}.get(fault, "saved, g")
    wrong = {"few": "(g,)", "many": "(g, g, g)", "single": "g * 2.0", "nothing": "None"}
    back = wrong.get(fault.partition("backward: ")[2], choice.choice(("(g, g)", "g * 1.0, None", "(g * 2.0, g + g)")))
    site.before += [
        "", "", "@jax.custom_vjp", f"def {made}(x, y):", "    return x * y",
        "", "", f"def forward_{number}(x, y):", f"    return {forward}",
        "", "", f"def backward_{number}({names}):", f"    return {back}",
    ]  # fmt: skip
    if fault != "no defvjp":
        site.before += ["", "", f"{made}.defvjp(forward_{number}, backward_{number})"]
    call = f"jax.grad(lambda x, y: jnp.sum({made}(x, y)))(<x>, <y>)"
    return site.run(call, x=value(choice, of), y=value(choice, of))


def _lax(site: SiteWriter) -> str:
    return site.choice.choice(("lax.", "jax.lax."))


TRANSFORMS = {
    "scan": TransformForm(
        _scan, (*BODIES, *RESULTS, "swapped", "single", "three", "lengths", "length", "no length", "keyword", "order")
    ),
    "fori_loop": TransformForm(_fori, (*BODIES, *RESULTS, "order of parameters", "pair", "bound", "keyword", "order")),
    "while_loop": TransformForm(
        _while,
        (*BODIES, *RESULTS, "truth: shape", "truth: dtype", "truth: tuple", "truth: no return", "keyword", "order"),
    ),
    "cond": TransformForm(
        _cond, (*BODIES, *RESULTS, "predicate", "operands: none", "operands: two", "keyword", "order")
    ),
    "switch": TransformForm(_switch, (*BODIES, *RESULTS, "index", "operands: none", "operands: two", "no list")),
    "grad": TransformForm(
        _grad,
        (
            "vector",
            "integer result",
            "pair",
            "aux: no pair",
            "integer argument",
            "no return",
            "called",
            "arity: more",
            "arity: less",
            "keyword",
            "argnums",
            "extra argument",
            "missing argument",
        ),
    ),
    "jit": TransformForm(
        _jit, ("arity: more", "arity: less", "called", "foreign result", "foreign argument", "foreign argument: string")
    ),
    "vmap": TransformForm(
        _vmap,
        (
            "arity: more",
            "arity: less",
            "called",
            "axes: count",
            "axes: rank",
            "axes: none",
            "sizes",
            "no axes",
            "keyword",
        ),
    ),
    "map": TransformForm(_map, ("arity: more", "arity: less", "called", "order", "keyword")),
    "custom_vjp": TransformForm(
        _custom,
        (
            "no defvjp",
            "forward: single",
            "forward: three",
            "backward: arity",
            "backward: three",
            "backward: few",
            "backward: many",
            "backward: single",
            "backward: nothing",
        ),
    ),
}
