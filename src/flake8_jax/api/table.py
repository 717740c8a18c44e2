"""Lookup of API facts by qualified name; `load()` merges measured and stated facts.

A row that is stated stands in place of the measured one; so does a single word of it, under `returns` and `roles`, or
in a transform's table without `parameters`.
Files are read and rows parsed at their first lookup; a test parses them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from flake8_jax.api import measured, stated
from flake8_jax.api.batching import Batching, parse_batching
from flake8_jax.api.conditions import Condition, parse_conditions
from flake8_jax.api.contracts import (
    Freezing,
    RequiredArguments,
    ResultPart,
    parse_freezing,
    parse_needs,
    parse_parts,
    parse_required,
)
from flake8_jax.api.dtypes import WEAK, DtypeRow, parse_row
from flake8_jax.api.host import HostUse, parse_use
from flake8_jax.api.measured import Measured, is_before
from flake8_jax.api.rows import ApiFunction, RowError, parse_function, returning, rows_of
from flake8_jax.api.singular import Singular, parse_singular
from flake8_jax.api.stated import Stated
from flake8_jax.api.transforms import Transform, parse_transform, with_roles

EffectKind: TypeAlias = Literal["print", "log", "warn"]
AnnotationKind: TypeAlias = Literal["array", "key", "keys", "numpy", "numeric", "static", "ref", "wrapper", "record"]

BUILTINS = "builtins"
DTYPES = "dtypes"
"""The file of what is known of dtypes."""

# The version since which `jax_threefry_partitionable` is set: measured on 0.4.30, 0.6.2 and 0.10.2.
PARTITIONABLE = "0.5"
_WORDS = {
    "effects": frozenset(("print", "log", "warn")),
    "annotations": frozenset(("array", "key", "keys", "numpy", "numeric", "static", "ref", "wrapper", "record")),
    "receivers": frozenset(("static",)),
    "streams": frozenset(("call", "next", "result", "attribute")),
}
# Blocks of single words that say something of a name that is called or read.
_NAMED = ("aliases", "annotations", "effects", "key_arguments", "receivers", "streams")


class Known(NamedTuple):
    """All facts about calling one name."""

    transform: Transform | None
    effect: EffectKind | None
    function: ApiFunction | None
    key_argument: str | None
    stream: str | None
    never_returns: bool
    forward: str | None
    bounds: str | None
    host: HostUse | None
    singular: Singular | None
    required: RequiredArguments | None
    kept: str
    is_update: bool


class Table:
    """The rows for one version of JAX, parsed as they are asked for.

    Names are qualified (`jax.numpy.mean`) and may be aliases.  What the table does not know is None: silent.
    """

    def __init__(
        self, stated: Stated, measured: Measured, gone: frozenset[str] = frozenset(), wanted: str | None = None
    ) -> None:
        self._stated = stated
        self._wanted = wanted
        self._splits_by_folding = wanted is None or not is_before(wanted, PARTITIONABLE)
        self._measured = measured
        self._gone = gone
        self._known: dict[str, Known] = {}
        self._canonical: dict[str, str] = {}
        self._rows: dict[str, dict[str, str]] = {}
        self._functions: dict[str, ApiFunction | None] = {}
        self._using: dict[str, ApiFunction | None] = {}
        self._transforms: dict[str, Transform | None] = {}
        self._namespaces: dict[str, frozenset[str]] = {}
        self._is_namespace: dict[str, bool] = {}
        self._freezing: dict[str, Freezing | None] = {}
        self._applying: dict[str, bool] = {}
        self._lacking: dict[str, frozenset[str]] = {}
        self._refused: dict[str, tuple[Condition, ...]] = {}
        self._dtype_rows: dict[str, DtypeRow | None] = {}
        self._promoted: dict[tuple[tuple[str, ...], tuple[str, ...], bool], str | None] = {}
        self._ids: dict[str, None] = {}

    @property
    def version(self) -> str:
        """The version of JAX of the measured rows."""
        return self._measured.version

    @property
    def splits_by_folding(self) -> bool:
        """Is `split(key, n)[i]` equal to `fold_in(key, i)`, as it is where Threefry is partitionable?"""
        return self._splits_by_folding

    def canonical(self, qualified: str) -> str:
        """The canonical name of a qualified name. Aliases are resolved, of the name itself and of what it is a member
        of."""
        found = self._canonical.get(qualified)
        if found is None:
            found = self._canonical[qualified] = self._follow(qualified)
        return found

    def _follow(self, qualified: str) -> str:
        seen = {qualified}
        while True:
            head, tail = qualified, ""
            while head and self._alias(head) is None:
                head, _, last = head.rpartition(".")
                tail = f".{last}{tail}"
            if not head:
                return qualified
            qualified = f"{self._alias(head)}{tail}"
            if qualified in seen:
                raise RowError(f"alias {qualified!r} leads back to itself")
            seen.add(qualified)

    def _alias(self, name: str) -> str | None:
        if f"aliases/{name}" in self._gone:
            return None
        target: str | None = self._stated.plain["aliases"].get(name) or self._section("aliases", name).get(name)
        return target

    def known(self, name: str) -> Known:
        """All facts about calling a canonical name, looked up once."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = Known(
                self.transform(name), self.effect(name), self.function(name), self.key_argument(name),
                self.stream(name), self.never_returns(name), self.forward(name), self.bounds(name), self.host(name),
                self.singular(name), self.required(name), self.kept_integer(name), self.is_update(name),
            )  # fmt: skip
        return found

    def singular(self, name: str) -> Singular | None:
        """Where the derivative of this function is not finite, if it is not everywhere."""
        return parse_singular(word) if (word := self._stated.singular.get(name)) is not None else None

    def function(self, qualified: str) -> ApiFunction | None:
        """The function of this name; a block's default row `*` speaks for the members that have no row."""
        if qualified not in self._functions:
            block, _, name = self.canonical(qualified).rpartition(".")
            rows = self._block(block or BUILTINS)
            row = rows.get(name) or rows.get("*")
            self._functions[qualified] = parse_function(row, block) if row else None
        return self._functions[qualified]

    def method(self, name: str) -> ApiFunction | None:
        """The method of this name of `jax.Array` and of tracers; its parameters are without self."""
        return self.function(f"Array.{name}")

    def attribute(self, name: str) -> Literal["array", "static"] | None:
        """The kind of the attribute of this name of a `jax.Array` or tracer."""
        found = self.function(f"Array.properties.{name}")
        if found is None:
            return None
        return "array" if found.returns == "array" else "static"

    def lacking(self, qualified: str) -> frozenset[str]:
        """The names that NumPy's module or array has and JAX's lacks; of "Array.properties", what cannot be set."""
        found = self._lacking.get(qualified)
        if found is None:
            found = self._lacking[qualified] = frozenset(self._section("lacking", qualified).get(qualified, ()))
        return found

    def is_member(self, name: str) -> bool:
        """Can an attribute of this name be read of arrays, as far as is known?"""
        if self.method(name) is not None or self.attribute(name) is not None:
            return True
        return name not in self.lacking("Array") and name in self._measured.names("Array")

    def refused(self, qualified: str) -> tuple[Condition, ...]:
        """The conditions on arguments under which calls of this function fail, each by itself."""
        name = self.canonical(qualified)
        found = self._refused.get(name)
        if found is None:
            texts = self._section("refused", name).get(name, ())
            found = self._refused[name] = tuple(one for text in texts for one in parse_conditions(text))
        return found

    def host_only(self, qualified: str) -> Mapping[str, int]:
        """The parameters of a function of NumPy that take its own arrays alone, each with its place or -1."""
        name = self.canonical(qualified)
        found: Mapping[str, int] = self._section("host_only", name).get(name, {})
        return found

    def transform(self, qualified: str) -> Transform | None:
        """The transform of this name."""
        name = self.canonical(qualified)
        if name not in self._transforms:
            row = self._transform_row(name)
            self._transforms[name] = parse_transform(name, row) if row else None
        return self._transforms[name]

    def _transform_row(self, name: str) -> dict[str, Any]:
        if f"transforms/{name}" in self._gone:
            return {}
        row = self._stated.transform(name)
        if "parameters" not in row:
            row = {**self._section("transforms", name).get(name, {}), **row}
        if not row:
            return {}
        words = {
            "compiles": "compiling", "demands": "demands", "mode": "modes", "refuses": "refusing",
            "updates": "updating", "waits": "waiting",
        }  # fmt: skip
        stated = {key: self._stated.plain[block].get(name, "") for key, block in words.items()}
        return {**with_roles(name, row, self._stated.plain["roles"]), **stated}

    def is_pure(self, qualified: str) -> bool:
        """Is calling this function known to have no side effect?"""
        name = self.canonical(qualified)
        is_known = self.function(name) is not None
        return is_known and name not in self._section("impure", name) and name not in self._stated.plain["impure"]

    def is_computation(self, qualified: str) -> bool:
        """Is this function, or those of a module that it is in, called for the result alone?"""
        name, stated = self.canonical(qualified), self._stated.plain["computing"]
        while name and name not in stated:
            name = name.rpartition(".")[0]
        return bool(name)

    def names_computation(self, qualified: str) -> bool:
        """Is it stated of this very function, which may have no row, that it is called for the result alone?"""
        return self.canonical(qualified) in self._stated.plain["computing"]

    def registers_handler(self, owner: str, method: str) -> bool:
        """Does a method of a server tell it what to call for each request?"""
        return method in self._stated.plain["handlers"].get(owner, "").split()

    def batching(self, maker: str, method: str = "") -> Batching | None:
        """How what a library makes, or a method of it, is told to drop a last batch that is shorter."""
        row = self._stated.plain["batches"].get(f"{maker.partition('.')[0]}.{method}" if method else maker)
        return parse_batching(row) if row is not None else None

    def dropout(self, qualified: str) -> tuple[str, tuple[int | None, ...]] | None:
        """The field of a layer's rate of dropout; its place, and those of `deterministic` as a field and in a call."""
        row = self._stated.plain["dropout"].get(self.canonical(qualified), "").split()
        return (row[0], tuple(None if one == "-" else int(one) for one in row[1:])) if row else None

    def statistics(self, qualified: str) -> tuple[str, str, int, int] | None:
        """The switch by which a layer uses its statistics as they are, and the collection that holds them; the places
        of the switch as a field and in a call.
        """
        row = self._stated.plain["statistics"].get(self.canonical(qualified), "").split()
        return (row[0], row[1], int(row[2]), int(row[3])) if row else None

    def weights(self, qualified: str) -> tuple[tuple[tuple[str, int], ...], ...]:
        """The products of arguments, each with its place, whose sum is at least the number of a layer's weights."""
        terms = self._stated.plain["weights"].get(self.canonical(qualified), "").split()
        factors = ([factor.partition("@") for factor in term.split("*")] for term in terms)
        return tuple(tuple((name, int(place)) for name, _, place in term) for term in factors)

    def keeps_width(self, qualified: str) -> bool:
        """Is a type that this function is given something else than the type of its result?"""
        return qualified in self._stated.plain["keeping"]

    @property
    def enabling(self) -> tuple[str, ...]:
        """The libraries that enable types of 64 bits where they are imported."""
        return tuple(self._stated.plain["enabling"])

    def effect(self, qualified: str) -> EffectKind | None:
        """The side effect of calling this name, if a rule is about it."""
        return self._word("effects", qualified)  # type: ignore[return-value]

    def host(self, qualified: str) -> HostUse | None:
        """What calling this name asks of the host, if it does."""
        return parse_use(word) if (word := self._stated.host.get(qualified)) is not None else None

    def moved_by(self, method: str) -> frozenset[str]:
        """The classes of generators and queues that a method of this name moves on."""
        return self._stated.moving.get(method, frozenset())

    def never_returns(self, qualified: str) -> bool:
        """Does calling this name certainly end the path, by an exception or with the process?"""
        return self.canonical(qualified) in self._stated.plain["endings"]

    def annotation(self, qualified: str) -> AnnotationKind | None:
        """What an annotation with this name says of a value; "wrapper" says what its first argument does."""
        return self._word("annotations", qualified)  # type: ignore[return-value]

    def fields(self, qualified: str) -> list[str]:
        """The fields of a record that keeps what it is made of, in order."""
        return (self._plain("fields", qualified) or "").split() if qualified else []

    def leaves(self, qualified: str) -> list[str]:
        """The fields of a record with this annotation that are arrays wherever it is traced."""
        return (self._plain("leaves", self.canonical(qualified)) or "").split()

    def trees(self, qualified: str) -> list[str]:
        """The fields of a record with this annotation that are trees of arrays and of nothing else."""
        return (self._plain("trees", self.canonical(qualified)) or "").split()

    def holder(self, qualified: str) -> str:
        """The class of the object in which a call gives what its initializer makes; "" if it gives that itself."""
        return self._plain("holders", qualified) or ""

    def freezing(self, qualified: str) -> Freezing | None:
        """How objects of this class of a library are frozen, or what its decorator makes so."""
        if qualified not in self._freezing:
            row = self._plain("frozen", self.canonical(qualified))
            self._freezing[qualified] = None if row is None else parse_freezing(qualified, row)
        return self._freezing[qualified]

    def freezing_of_member(self, qualified: str) -> Freezing | None:
        """How an object is frozen that a class of a library made, or one of a module of it."""
        return self.freezing(qualified) or self.freezing(qualified.rpartition(".")[0])

    def result_parts(self, qualified: str) -> tuple[ResultPart, ...]:
        """What the parts of the result are, of this call or of that of what it wraps."""
        row = self._plain("results", qualified)
        return () if row is None else parse_parts(row)

    def required(self, qualified: str) -> RequiredArguments | None:
        """What a call of this name must be given in the version of the library that was measured."""
        row = self._plain("required", qualified)
        found = None if row is None else parse_required(qualified, row)
        package = str(self._measured.of(qualified).get("package", "")).rpartition(" ")[2]
        return None if found is None or not package or is_before(package, found.since) else found

    def is_part(self, qualified: str) -> bool:
        """Does this class or method of a library make a part of the module in whose method it is called?"""
        owner, _, name = qualified.rpartition(".")
        return name in (self._plain("parts", owner) or "").split()

    def is_update(self, qualified: str) -> bool:
        """Does this function update the object that it gets first?"""
        return self._plain("updated", qualified) == "first"

    def updated_by(self, qualified: str) -> str:
        """The transform that puts back what is updated in place in objects of this class; "" where nothing is."""
        owner, _, name = qualified.rpartition(".")
        return (self._plain("updated", owner) or "") if name[:1].isupper() else ""

    def kept_integer(self, qualified: str) -> str:
        """By which word this keeps an integer in the state of a network: a parameter, or "counter"; "" for none."""
        return self._plain("counting", qualified) or ""

    def writes(self, qualified: str) -> bool:
        """Does this function write to the reference that it gets first?"""
        owner, _, name = qualified.rpartition(".")
        return name in (self._plain("writing", owner) or "").split()

    def opaque_part(self, qualified: str) -> str:
        """What the objects of this class hold that JAX cannot trace; "" for nothing."""
        return self._stated.opaque.get(self.canonical(qualified), "")

    def filtering(self, transform: str, library: str) -> str:
        """The transform of a library in place of one that traces everything, or what splits a tree for it."""
        rows = (self._plain("filtering", one) or "" for one in (transform, "*"))
        return next((one for row in rows for one in row.split() if one.startswith(f"{library}.")), "")

    def placeholder(self, transform: str, is_returned: bool = False) -> str:
        """What a transform puts in place of arrays into an object that it makes anew; "" for nothing but arrays."""
        row = self._plain("placeholders", transform) or ""
        return row.removeprefix("returned ") if is_returned or not row.startswith("returned ") else ""

    def update_needs(self, qualified: str) -> frozenset[str] | None:
        """What the updates need of the optimizer that this makes, beside gradients and state; None for nothing."""
        word, alike = self._stated.optimizers.get(qualified), self._stated.remembering.get(qualified)
        needs = frozenset((alike,)) if alike is not None else None
        return needs if word is None else parse_needs(word) | (needs or frozenset())

    def shape(self, qualified: str) -> str | None:
        """How the shape of a result follows from the call."""
        return self._stated.shapes.get(qualified)

    def number(self, qualified: str) -> str | None:
        """The dtype of a library's constant that is a number, as `jax.numpy.pi`; None for what is none."""
        return self._stated.numbers.get(qualified)

    def dtype_row(self, name: str) -> DtypeRow | None:
        """How the dtype follows that the function of this canonical name gives, or an operator, as `operator +`."""
        if name not in self._dtype_rows:
            text = self._stated.dtypes.get(name) or self._measured.of(DTYPES).get("dtypes", {}).get(name)
            self._dtype_rows[name] = parse_row(text) if text else None
        return self._dtype_rows[name]

    def promoted(self, names: tuple[str, ...], maps: tuple[str, ...], is_not_weak: bool) -> str | None:
        """The dtype that is promoted from others, then mapped; None where it is not known."""
        key = names, maps, is_not_weak
        if key not in self._promoted:
            self._promoted[key] = self._promote(*key)
        return self._promoted[key]

    def _promote(self, names: tuple[str, ...], maps: tuple[str, ...], is_not_weak: bool) -> str | None:
        rows = self._measured.of(DTYPES).get("dtypes", {})
        found: str | None = names[0]
        for name in names[1:]:
            found = rows.get(f"promotion {found}", {}).get(name)
        for word in maps:
            found = rows.get(f"map {word}", {}).get(found)
        is_unsure = is_not_weak and found is not None and (found.startswith(WEAK) or found == "bool")
        return None if is_unsure else found

    def pieces(self, qualified: str) -> str | None:
        """The parameter that takes a sequence of arrays."""
        return self._stated.plain["pieces"].get(qualified)

    def bounds(self, qualified: str) -> str | None:
        """Which arguments are an array and an index that may be outside: a word, and the parameters that have them."""
        return self._stated.plain["bounds"].get(qualified)

    def made_by(self, qualified: str) -> str:
        """The stated class of what a call of this name returns, "" if none is stated."""
        return self._stated.instances.get(self.canonical(qualified), "")

    def key_argument(self, qualified: str) -> str | None:
        """The keyword under which a constructor or function consumes a key, stated for it or its module."""
        name = self.canonical(qualified)
        while name and self._plain("key_arguments", name) is None:
            name = name.rpartition(".")[0]
        return self._plain("key_arguments", name)

    def using_keys(self, qualified: str, method: str) -> ApiFunction | None:
        """The method of this class, own or inherited, if it is stated what it does with a key."""
        place = f"{qualified}.{method}"
        if place not in self._using:
            found = self.method_of(qualified, method)
            is_use = found is not None and any(parameter.key for parameter in found.parameters)
            self._using[place] = found if is_use else None
        return self._using[place]

    def states_methods(self, qualified: str) -> bool:
        """Are methods stated of what this name gives?"""
        return self.canonical(qualified) in self._stated.functions

    def method_of(self, qualified: str, method: str) -> ApiFunction | None:
        """The row of a method of this class, own or inherited."""
        return self.function(f"{qualified}.{method}") or self._inherited(self.canonical(qualified), method)

    def _inherited(self, name: str, method: str) -> ApiFunction | None:
        while name and self._plain("bases", name) is None:
            name = name.rpartition(".")[0]
        return self.function(f"{self._plain('bases', name)}.{method}") if name else None

    def forward(self, qualified: str) -> str | None:
        """How calling this name passes on the keys that it is given: a word, and the parameters that have them."""
        return self._plain("forwards", self.canonical(qualified))

    def stream(self, qualified: str) -> str | None:
        """The way in which this name yields fresh keys. It is "result" if a call of it does, and "call", "next" or
        "attribute" (a method of any name) if its instances do."""
        return self._word("streams", qualified)

    def before_applying(self, qualified: str) -> tuple[str, ...] | None:
        """The parameters before those of the function that this runs; `@` marks the key of its streams."""
        stated = self._plain("applying", qualified)
        return None if stated is None else tuple(stated.split(", "))

    def kept_by(self, qualified: str) -> tuple[str, ...] | None:
        """The options by which a call of an instance does not change what it holds; None if no call does."""
        stated = self._plain("advancing", self.canonical(qualified))
        return None if stated is None else tuple(stated.split())

    def own_keywords(self, qualified: str) -> tuple[str, ...]:
        """The keywords that a function under this transform takes for itself."""
        return tuple((self._plain("own_keywords", self.canonical(qualified)) or "").split())

    def unbinds(self, qualified: str) -> bool:
        """Does this transform take of bound methods the functions of the class, and pass the module to them?"""
        return self._plain("unbinding", self.canonical(qualified)) is not None

    def applies(self, qualified: str) -> bool:
        """Does an object of this class run a network, with the variables that it gets?"""
        if qualified not in self._applying:
            name = self.canonical(qualified)
            while name and self._plain("bases", name) is None and self._plain("applying", f"{name}.apply") is None:
                name = name.rpartition(".")[0]
            owner = self._plain("bases", name) or name
            self._applying[qualified] = self._plain("applying", f"{owner}.apply") == "variables"
        return self._applying[qualified]

    def traced_method(self, base: str, method: str) -> bool:
        """Is this method of classes derived from `base` usually called under a transform?"""
        name = self.canonical(base)
        methods = self._stated.traced_methods.get(name, ())
        return method in methods and f"traced_methods/{name}.{method}" not in self._gone

    def is_configuration(self, base: str) -> bool:
        """Are the fields of such an object options, while its parameters come from elsewhere?"""
        return self._word("receivers", base) == "static"

    def is_layer(self, qualified: str) -> bool:
        """Does calling an instance of this class return an array?"""
        module, _, name = self.canonical(qualified).rpartition(".")
        return name in self._stated.layers.get(module, ())

    def is_namespace(self, qualified: str) -> bool:
        """Does the table know any member of this module or class?"""
        found = self._is_namespace.get(qualified)
        if found is None:
            names = (qualified, self.canonical(qualified))
            found = any(name in self._prefixes(name.partition(".")[0]) for name in names)
            self._is_namespace[qualified] = found
        return found

    def row_ids(self) -> tuple[str, ...]:
        """One name for every row, such as `functions/jax.numpy.abs`, measured and stated."""
        self._ids = self._ids or dict.fromkeys(self._listed())
        return tuple(self._ids)

    def _listed(self) -> Iterator[str]:
        files = [self._measured.of(package) for package in self._measured.packages()]
        blocks = sorted({*self._stated.functions, *(block for file in files for block in file.get("functions", ()))})
        ids = [f"functions/{block}.{name}" for block in blocks for name in self._block(block)]
        transforms = {*self._stated.transforms, *(name for file in files for name in file.get("transforms", ()))}
        ids += [f"transforms/{name}" for name in sorted(transforms)]
        aliases = {*self._stated.plain["aliases"], *(name for file in files for name in file.get("aliases", ()))}
        ids += [f"aliases/{name}" for name in sorted(aliases)]
        ids += [f"{block}/{name}" for block in _NAMED[1:] for name in self._stated.plain[block]]
        methods = self._stated.traced_methods.items()
        ids += [f"traced_methods/{base}.{name}" for base, names in methods for name in names]
        yield from (row for row in ids if row not in self._gone)

    def without(self, *row_ids: str) -> Table:
        """This table with some rows removed."""
        self.row_ids()
        for row in row_ids:
            if row not in self._ids:
                raise KeyError(row)
        return Table(self._stated, self._measured, self._gone.union(row_ids), self._wanted)

    def _section(self, section: str, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._measured.of(name).get(section, {})
        return found

    def _block(self, block: str) -> dict[str, str]:
        if block not in self._rows:
            rows = dict(rows_of(self._section("functions", block).get(block, ()), block))
            rows |= dict(rows_of(self._stated.functions.get(block, "").splitlines(), block))
            returns = self._stated.plain["returns"]
            corrected = {name: returns[f"{block}.{name}"] for name in rows if f"{block}.{name}" in returns}
            rows |= {name: returning(rows[name], word) for name, word in corrected.items()}
            gone = {name for name in rows if f"functions/{block}.{name}" in self._gone}
            self._rows[block] = {name: row for name, row in rows.items() if name not in gone}
        return self._rows[block]

    def _plain(self, block: str, name: str) -> str | None:
        row = self._stated.plain[block].get(name)
        return None if row is None or f"{block}/{name}" in self._gone else row

    def _word(self, block: str, qualified: str) -> str | None:
        word = self._plain(block, self.canonical(qualified))
        if word is not None and word not in _WORDS[block]:
            raise RowError(f"unknown word {word!r} for {qualified!r} in [{block}]")
        return word

    def _prefixes(self, root: str) -> frozenset[str]:
        if root not in self._namespaces:
            self._namespaces[root] = frozenset(_ancestors(name for name in self._names(root)))
        return self._namespaces[root]

    def _names(self, root: str) -> Iterator[str]:
        """Modules, and members of modules, of a root package."""
        file = self._measured.of(root)
        members = [*file.get("transforms", ()), *file.get("aliases", ()), *self._stated.transforms]
        members += [name for block in _NAMED for name in self._stated.plain[block]]
        modules = [*file.get("functions", ()), *self._stated.functions]
        modules += [*self._stated.plain["key_arguments"], *self._stated.traced_methods]
        names = (*(name.rpartition(".")[0] for name in members), *modules)
        yield from (name for name in names if name.partition(".")[0] == root and root != "Array")


def _ancestors(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        while name:
            yield name
            name = name.rpartition(".")[0]


@cache
def load(version: str | None = None) -> Table:
    """The table for a version of JAX. Without one given: for the installed version, else for the newest measured
    one."""
    wanted = version or measured.installed()
    chosen = measured.choose(wanted, measured.versions())
    return Table(stated.read(), Measured(chosen), wanted=wanted)
