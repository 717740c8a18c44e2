"""Keys that are handed to code nobody knows: each is possibly used up there.

params = model.init(key, x)         possibly used up, so that a draw from `key` after it is a second use
actor(params, key, x)               read for noise alone, of which nothing is known
carry.append(key)                   kept
State(params, key)                  kept: a record
log(step=1, key=key)                shown
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, ClassValue, underlying, visible_names
from flake8_jax.analysis.checks.keys.keeping import may_keep_by_name
from flake8_jax.analysis.checks.keys.noise import is_noise
from flake8_jax.analysis.checks.keys.origins import input_behind
from flake8_jax.analysis.checks.keys.relations import earlier_uses_of
from flake8_jax.analysis.checks.keys.uses import consume
from flake8_jax.analysis.checks.naming import names_key
from flake8_jax.analysis.frame import LIBRARY_METHOD, Frame
from flake8_jax.analysis.labels.tables import WITHOUT_NOISE
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.narrowing import implied_facts, peek
from flake8_jax.analysis.objects.signatures import STARRED
from flake8_jax.domain.conditions import ALWAYS, Fact, Path, assume
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import DICT, KEY, KEYS, MAY_BE_ARRAY_OR_UNKNOWN, RANDOM_KEYS, SEQUENCES
from flake8_jax.domain.payload import Named, reason
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import is_left_alone
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.syntax.policies import (
    ALWAYS_DRAWING_NAME,
    MEASURE_NAME,
    NETWORK_NAME,
    PARAMETERS_NAME,
    RANDOM_WORDS,
    RECORDER_NAME,
    SPEAKS_OF_KEYS,
)

OF_TEXTS = frozenset(
    name for name in vars(str) if not name.startswith("_") and name not in ("count", "index", "replace", "split")
) | {"hexdigest", "group"}
"""The methods of texts that neither arrays nor what makes keys have."""

CONSTRUCTORS = ("cls", "_class", "_type")
"""How names of classes end that are no names of classes."""

DRAWING = frozenset(("sample", "sample_and_log_prob", "experimental_sample_and_log_prob"))
"""Names of methods that draw from what they are given as `seed`, if that is a key: those of distributions."""

FOR_SHAPES = frozenset(("abstract", "abstract_init", "eval_only", "eval_shape", "shape_only"))
"""Options by which nothing is drawn."""

OF_ANYTHING = frozenset(("argparse.Namespace", "types.SimpleNamespace"))
HOST = frozenset(sys.stdlib_module_names)


def pass_keys_to_unknown(frame: Frame, op: Op, callee: Value, arguments: Arguments) -> None:
    """Let a callee of unknown body possibly use up the keys that it receives.

    What gets a container and gives nothing renews the keys in it.
    """
    if frame.context.is_for_shapes or frame.state is None or callee.payload is reason(LIBRARY_METHOD):
        return
    found = [key for key in _keys(frame, arguments) if key[1] is not None or frame.discarded is not op]
    if found and (ignored := _ignored(frame, op, arguments)):
        found = [key for key in found if key[1] not in ignored]
    if found and not op.anchor.origin.finds(RANDOM_WORDS, SPEAKS_OF_KEYS.pattern):
        found = [key for key in found if key[0].kind in RANDOM_KEYS or key[0].original in frame.state.used]
    if found and not keeps(op, callee, arguments):
        by = _callee_text(op, callee)
        state = frame.live()
        path, state.path = state.path, assume(state.path, _if_noisy(frame, op, arguments))
        for value, place in found:
            here = (use for use in earlier_uses_of(state, value.original, frame.iterations) if use.op is op)
            if not any(use.iterations == frame.iterations for use in here):
                is_drawn = _is_drawn_from(op, value, place) or is_noise(frame, op, arguments, value, place)
                consume(frame, value, op, place, by, is_possible=not is_drawn)
        state.path = path


def _ignored(frame: Frame, op: Op, arguments: Arguments) -> list[Op]:
    """The arguments that a method does not read, which a wrapper of a library hands on to an object of this project.

    env = LogWrapper(Table())       class Table: def reset_env(self, key): del key ...
    env.reset_env(key)
    """
    func = op.func if type(op) is ops.Call else None
    base = peek(frame, func.base) if type(func) is ops.Attr else None
    owner = base.payload.around if base is not None and type(base.payload) is Named else None
    method = lookup(owner, func.name) if isinstance(owner, ClassValue) and type(func) is ops.Attr else None
    function = underlying(method) if method is not None else None
    if method is None or function is None:
        return []
    names = visible_names(method)[function.receiver != "none" :]
    given = {**dict(zip(names, arguments.ops, strict=False)), **arguments.keyword_ops}
    known = {parameter.name for parameter in function.function.parameters if parameter.kind not in STARRED}
    places = {place: name for name, place in given.items() if place is not None and name in known}
    return [place for place, name in places.items() if is_left_alone(function.function, name)]


def _is_drawn_from(op: Op, value: Value, place: Op | None) -> bool:
    """Is it a key that a distribution is given as its seed, other than a seed that may be a number?"""
    func = _spelled(op)
    if type(op) is not ops.Call or type(func) is not ops.Attr or func.name not in DRAWING or place is None:
        return False
    is_seed = any(name == "seed" and one is place for name, one in op.keywords)
    spelled = place.name if type(place) is ops.Name or type(place) is ops.Attr else ""
    return is_seed and (value.kind is KEY or (spelled != "" and "seed" not in spelled))


def _callee_text(op: Op, callee: Value) -> str:
    func = _spelled(op)
    if func is None:
        return callee.name or (phrase(op.func) if type(op) is ops.Call else "the call")
    text = phrase(func)
    return func.name if "(" in text else text


def _keys(frame: Frame, arguments: Arguments) -> Iterator[tuple[Value, Op | None]]:
    for place, value in enumerate(arguments.positional):
        yield from _keys_in(frame, value, arguments.ops[place] if place < len(arguments.ops) else None, "")
    for name, value in arguments.keywords.items():
        yield from _keys_in(frame, value, arguments.keyword_ops.get(name), name)


def _keys_in(frame: Frame, value: Value, place: Op | None, name: str) -> Iterator[tuple[Value, Op | None]]:
    """The keys that an argument is, or holds: those written in a display, or a container of keys alone."""
    kind = value.kind
    if kind is DICT or kind in SEQUENCES:
        parts = list(frame.live().contents(value).parts)
        written = list(_written(place))
        if len(written) == len(parts):
            pairs = zip(parts, written, strict=True)
            yield from ((part, one) for part, one in pairs if _is_candidate(frame, part, one, name))
        elif _says_key(place, name) and all(part.kind is KEY or _is_named_key(part) for part in parts):
            yield from ((part, None) for part in parts)
    elif _is_candidate(frame, value, place, name):
        yield value, place


def _is_candidate(frame: Frame, value: Value, place: Op | None, name: str) -> bool:
    """Is a value a key by where it comes from, by a use before, or, if a certain use follows, by name?"""
    if value.kind is KEY or value.kind is KEYS:
        return True
    if value.kind not in MAY_BE_ARRAY_OR_UNKNOWN or _is_text(value):
        return False
    return value.original in frame.live().used or _says_key(place, name) or _is_named_key(value)


def _is_text(value: Value) -> bool:
    """Is it what a method gives that texts have, and no array?"""
    made_by = value.made_by
    return type(made_by) is ops.Call and type(made_by.func) is ops.Attr and made_by.func.name in OF_TEXTS


def _written(place: Op | None) -> Iterator[Op]:
    """The ops of the parts of a display, each once."""
    if type(place) is ops.Build:
        yield from place.parts
    elif type(place) is ops.BuildDict:
        yield from (value for _, value in place.items)


def _says_key(place: Op | None, name: str) -> bool:
    """Does the keyword, or the name that is passed, say that it is a key, or holds keys?"""
    spelled = place.name if type(place) is ops.Name or type(place) is ops.Attr else ""
    return names_key(name) or names_key(spelled)


def _is_named_key(value: Value) -> bool:
    source = input_behind(value)
    if source is None:
        return False
    name = str(source.step[1]) if source.step is not None and source.step[0] == "." else source.name
    return names_key(name)


def keeps(op: Op, callee: Value, arguments: Arguments) -> bool:
    """Does the name of a callee say that it only stores, moves or prints its arguments, and draws from no key?"""
    func = _spelled(op)
    name = func.name if func is not None else callee.name.rpartition(".")[2]
    if name[:1].isupper() or name.endswith(CONSTRUCTORS) or _is_of_python(callee.name):
        return True
    if type(func) is ops.Attr and RECORDER_NAME.search(getattr(func.base, "name", "")):
        return True
    if any(value.constant is True and option in FOR_SHAPES for option, value in arguments.keywords.items()):
        return True
    if not ALWAYS_DRAWING_NAME.search(name) and (MEASURE_NAME.search(name) or _is_without_noise(arguments)):
        return True
    if _applies_network(name, arguments):
        return True
    if name == "create":
        return not arguments.positional
    if name == "update":
        return not arguments.positional or (len(arguments.positional) == 1 and arguments.positional[0].kind is DICT)
    if name == "set":
        return type(func) is ops.Attr and type(func.base) is ops.Item
    return may_keep_by_name(name)


def _applies_network(name: str, arguments: Arguments) -> bool:
    """Is a network given its parameters and then a key, which it need not read, as in Haiku?"""
    if len(arguments.ops) < 3 or NETWORK_NAME.search(name) is None:
        return False
    parameters, key = arguments.ops[:2]
    spelled = parameters.name if type(parameters) is ops.Name or type(parameters) is ops.Attr else ""
    is_key = _says_key(key, "") or arguments.positional[1].kind is KEY
    return is_key and PARAMETERS_NAME.search(spelled) is not None


def _is_without_noise(arguments: Arguments) -> bool:
    """Does an option say that a network runs without dropout, and is it given no other stream?"""
    given = arguments.keywords
    return _is_of_dropout(arguments) and any(
        option in given and given[option].constant is off for option, off in WITHOUT_NOISE.items()
    )


def _if_noisy(frame: Frame, op: Op, arguments: Arguments) -> Path:
    """The path on which a network has dropout, as an option says that callers decide."""
    func = _spelled(op)
    if func is None or ALWAYS_DRAWING_NAME.search(func.name) or not _is_of_dropout(arguments):
        return ALWAYS
    given = [(arguments.keywords[option], off) for option, off in WITHOUT_NOISE.items() if option in arguments.keywords]
    facts = [Fact("truth", value.original, None, not off) for value, off in given if value.constant is OPEN]
    return tuple(one for fact in facts for one in implied_facts(frame, fact))


def _is_of_dropout(arguments: Arguments) -> bool:
    """Is a network given no other stream than that of its dropout?"""
    return all("drop" in name for name in _written_names(arguments.keyword_ops.get("rngs")))


def _written_names(display: Op | None) -> Iterator[str]:
    """The constant keys of a display of a dict."""
    for key, _ in display.items if type(display) is ops.BuildDict else ():
        yield str(key.value) if type(key) is ops.Const else ""


def _is_of_python(name: str) -> bool:
    """Is it a name of Python or its library, but for objects that hold whatever they are given?"""
    root, dot, _ = name.partition(".")
    return bool(root) and (not dot or root in HOST) and name not in OF_ANYTHING


def _spelled(op: Op) -> ops.Attr | ops.Name | None:
    """The callee as it is written, or the function that it was made of (`jax.grad(loss)(x)`)."""
    func = op.func if type(op) is ops.Call else None
    while type(func) is ops.Call and func.args:
        func = func.args[0]
    return func if type(func) is ops.Attr or type(func) is ops.Name else None
