"""Looking up what is stated of a qualified name: `load()` reads `stated.toml`, a `Table` answers.

The file is read for every run of the linter, so it is laid out to be cheap: function rows stand in literal strings, one
per module, that the TOML parser only copies; each transform's table is cut out of the text by its header and parsed
when it is asked for.  A row is parsed once, at its first lookup; a test parses them all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from flake8_jax.api.rows import ApiFunction, RowError, Transform, parse_function, parse_transform

Effect: TypeAlias = Literal["print", "log", "warn"]
AnnotationKind: TypeAlias = Literal["array", "key", "keys", "numpy", "static", "ref", "wrapper"]

STATED = Path(__file__).with_name("stated.toml")
BUILTINS = "builtins"
_CUT = '\n[transforms."'
_WORDS = {
    "effects": frozenset(("print", "log", "warn")),
    "annotations": frozenset(("array", "key", "keys", "numpy", "static", "ref", "wrapper")),
    "streams": frozenset(("call", "next", "result", "attribute")),
}
_PLAIN = ("aliases", "annotations", "effects", "key_arguments", "streams")


class Known(NamedTuple):
    """What is stated of calling one name."""

    transform: Transform | None
    effect: Effect | None
    function: ApiFunction | None
    key_argument: str | None
    stream: str | None


class Table:
    """The hand-stated rows, parsed as they are asked for.

    Names are qualified (`jax.numpy.mean`) and may be aliases.  What the table does not know is None: silent.
    """

    def __init__(
        self,
        functions: Mapping[str, str],
        transforms: Mapping[str, str],
        plain: Mapping[str, Mapping[str, str]],
        traced_methods: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._blocks = functions
        self._transform_texts = transforms
        self._plain = plain
        self._traced_methods = traced_methods
        self._known: dict[str, Known] = {}
        self._canonical: dict[str, str] = {}
        self._rows: dict[str, dict[str, str]] = {}
        self._functions: dict[str, ApiFunction | None] = {}
        self._transforms: dict[str, Transform] = {}
        self._namespaces: frozenset[str] = frozenset()

    def canonical(self, qualified: str) -> str:
        """The name that stands for this one: aliases are followed, of the name itself and of what it is a member of."""
        found = self._canonical.get(qualified)
        if found is None:
            found = self._canonical[qualified] = self._follow(qualified)
        return found

    def _follow(self, qualified: str) -> str:
        aliases = self._plain["aliases"]
        for _ in range(len(aliases) + 1):
            head, tail = qualified, ""
            while head and head not in aliases:
                head, _, last = head.rpartition(".")
                tail = f".{last}{tail}"
            if not head:
                return qualified
            qualified = aliases[head] + tail
        raise RowError(f"alias {qualified!r} leads back to itself")

    def known(self, name: str) -> Known:
        """All that is stated of calling a canonical name, looked up once."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = Known(
                self.transform(name), self.effect(name), self.function(name), self.key_argument(name), self.stream(name)
            )
        return found

    def function(self, qualified: str) -> ApiFunction | None:
        """The function of this name; a block's default row `*` speaks for the members that have no row."""
        if qualified not in self._functions:
            block, _, name = self.canonical(qualified).rpartition(".")
            rows = self._block(block or BUILTINS)
            row = rows.get(name) or rows.get("*")
            self._functions[qualified] = parse_function(row, block) if row else None
        return self._functions[qualified]

    def method(self, name: str) -> ApiFunction | None:
        """The method of `jax.Array`, and of tracers, of this name; its parameters are without self."""
        return self.function(f"Array.{name}")

    def attribute(self, name: str) -> Literal["array", "static"] | None:
        """What the attribute of a `jax.Array` or tracer of this name holds."""
        found = self.function(f"Array.properties.{name}")
        if found is None:
            return None
        return "array" if found.returns == "array" else "static"

    def transform(self, qualified: str) -> Transform | None:
        """The transform of this name."""
        name = self.canonical(qualified)
        if name not in self._transform_texts:
            return None
        if name not in self._transforms:
            row = _toml(self._transform_texts[name])["transforms"][name]
            self._transforms[name] = parse_transform(name, row)
        return self._transforms[name]

    def effect(self, qualified: str) -> Effect | None:
        """The side effect that calling this name has, if it is one that rules speak of."""
        return self._word("effects", qualified)  # type: ignore[return-value]

    def annotation(self, qualified: str) -> AnnotationKind | None:
        """What an annotation with this name says of a value; "wrapper" says what its first argument does."""
        return self._word("annotations", qualified)  # type: ignore[return-value]

    def key_argument(self, qualified: str) -> str | None:
        """The keyword by which a constructor or function takes the key that it consumes, stated for it or its
        module."""
        arguments = self._plain["key_arguments"]
        name = self.canonical(qualified)
        while name and name not in arguments:
            name = name.rpartition(".")[0]
        return arguments.get(name)

    def stream(self, qualified: str) -> str | None:
        """How a fresh key is drawn each time: "result" of calling this name, or from its instances by "call", "next" or
        "attribute" (a method of any name)."""
        return self._word("streams", qualified)

    def traced_method(self, base: str, method: str) -> bool:
        """Do users of classes derived from `base` call this method under a transform?"""
        return method in self._traced_methods.get(self.canonical(base), ())

    def is_namespace(self, qualified: str) -> bool:
        """Is this a module or class in which the table knows something?"""
        if not self._namespaces:
            self._namespaces = frozenset(self._prefixes())
        return qualified in self._namespaces or self.canonical(qualified) in self._namespaces

    def row_ids(self) -> tuple[str, ...]:
        """One name for every row of every block, such as `functions/jax.numpy.abs`."""
        ids = [f"functions/{block}.{name}" for block in self._blocks for name in self._block(block)]
        ids += [f"transforms/{name}" for name in self._transform_texts]
        ids += [f"{block}/{name}" for block in _PLAIN for name in self._plain[block]]
        ids += [f"traced_methods/{base}.{name}" for base, names in self._traced_methods.items() for name in names]
        return tuple(ids)

    def without(self, row_id: str) -> Table:
        """This table with one row removed."""
        family, _, name = row_id.partition("/")
        head, _, last = name.rpartition(".")
        functions, transforms = dict(self._blocks), dict(self._transform_texts)
        plain = {block: dict(rows) for block, rows in self._plain.items()}
        methods = dict(self._traced_methods)
        if family == "functions" and last in self._block(head):
            functions[head] = "\n".join(row for key, row in self._block(head).items() if key != last)
        elif family == "transforms" and name in transforms:
            del transforms[name]
        elif family == "traced_methods" and last in methods.get(head, ()):
            methods[head] = tuple(method for method in methods[head] if method != last)
        elif family in plain and name in plain[family]:
            del plain[family][name]
        else:
            raise KeyError(row_id)
        return Table(functions, transforms, plain, methods)

    def _block(self, block: str) -> dict[str, str]:
        if block not in self._rows:
            self._rows[block] = dict(_rows(self._blocks.get(block, ""), block))
        return self._rows[block]

    def _word(self, block: str, qualified: str) -> str | None:
        word = self._plain[block].get(self.canonical(qualified))
        if word is not None and word not in _WORDS[block]:
            raise RowError(f"unknown word {word!r} for {qualified!r} in [{block}]")
        return word

    def _prefixes(self) -> Iterator[str]:
        names = [*self._transform_texts, *(name for block in _PLAIN for name in self._plain[block])]
        modules = [block for block in self._blocks if not block.startswith("Array")]
        modules += [*self._plain["key_arguments"], *self._traced_methods]
        for name in (*(name.rpartition(".")[0] for name in names), *modules):
            while name:
                yield name
                name = name.rpartition(".")[0]


def _rows(text: str, block: str) -> Iterator[tuple[str, str]]:
    seen = set()
    for line in text.splitlines():
        row = line.partition("#")[0].strip()
        if not row:
            continue
        name = row.partition("(")[0].partition("->")[0].strip()
        if name in seen:
            raise RowError(f"second row for {name!r} in block {block!r}")
        seen.add(name)
        yield name, row


def _toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def parse(text: str) -> Table:
    """The table that the text of a stated.toml holds."""
    head, *cuts = text.split(_CUT)
    transforms = {cut.partition('"')[0]: f"{_CUT}{cut}" for cut in cuts}
    if len(transforms) != len(cuts):
        raise RowError("a transform is stated twice")
    data = _toml(head)
    plain = {block: MappingProxyType(data.get(block, {})) for block in _PLAIN}
    methods = {base: tuple(names) for base, names in data.get("traced_methods", {}).items()}
    return Table(data.get("functions", {}), transforms, plain, methods)


@cache
def load(path: Path | None = None) -> Table:
    """The table in `path`, or the one that comes with this package; read once."""
    return parse((path or STATED).read_text(encoding="utf-8"))
