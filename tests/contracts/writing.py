"""Programs as text: each site is a call of a transform, with the functions that it runs, right or with one fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.contracts.grammar import (
    HEAD,
    Type,
    changed,
    kept,
    leaves,
    opened,
    rebuilt,
    restructured,
)

FORMS = (
    "def", "def", "def", "nested", "lambda", "lambda", "method", "partial", "wrapped", "maker", "object", "jit",
    "checkpoint",
)  # fmt: skip
PLACES = ("inline", "variable", "parameter", "jitted parameter", "helper", "method")
RESULTS = ("structure", "shape", "dtype")


@dataclass(frozen=True, slots=True)
class ContractSite:
    """A call of a transform: its number, its lines, the transform, the fault ("" for none), and how it is written."""

    number: int
    lines: range
    transform: str
    fault: str
    form: str
    place: str


@dataclass(frozen=True, slots=True)
class ContractProgram:
    """A program: its text, and its sites; the function `run_N` runs site N."""

    text: str
    sites: tuple[ContractSite, ...]


class SiteWriter:
    """Writes one site: its functions, then the function that calls the transform."""

    def __init__(self, choice: Random, number: int, fault: str) -> None:
        self.choice, self.number, self.fault = choice, number, fault
        self.form, self.place = choice.choice(FORMS), choice.choice(PLACES)
        self.before: list[str] = []
        self.local: list[str] = []
        self._names = self._fresh()

    def _fresh(self) -> Iterator[str]:
        for number in range(1, 1000):
            yield f"v{number}"

    def result(self, of: Type, text: str) -> tuple[list[str], str]:
        """Statements and a result of the type of what is given, unless the fault is to change it."""
        statements, held = opened(self.choice, of, text, self._names)
        fault = self.fault
        there = list(leaves(of))
        victim = self.choice.choice(there)[0] if there and fault in ("shape", "dtype") else None
        new: dict[tuple[int, ...], str] = {}
        for path, leaf in there:
            made = kept(self.choice, leaf, held[path]) if self.choice.random() < 0.8 else held[path]
            if path == victim:
                made = changed(self.choice, leaf, held[path], fault)
            elif self.choice.random() < 0.3:
                name = next(self._names)
                statements.append(f"{name} = {made}")
                made = name
            new[path] = made
        became = restructured(self.choice, of) if fault == "structure" else of
        return statements, rebuilt(self.choice, became, new)

    def function(self, name: str, parameters: list[str], statements: list[str], result: str) -> str:
        """Write a function with these parameters; returns the expression by which it is passed."""
        form, own = self.form, f"{name}_{self.number}"
        if self.fault == "arity: more":
            parameters = [*parameters, "more"]
        elif self.fault == "arity: less" and parameters:
            result = result if parameters[-1] not in result else "0.0"
            parameters = parameters[:-1]
        if form == "lambda" and not statements and self.fault != "no return":
            return f"lambda {', '.join(parameters)}: {result}" if parameters else f"lambda: {result}"
        body = [*statements, result if self.fault == "no return" else f"return {result}"]
        if form == "nested":
            self.local += [f"def {own}({', '.join(parameters)}):", *_indented(body)]
            return own
        return self._at_module(form, own, parameters, body)

    def _at_module(self, form: str, own: str, parameters: list[str], body: list[str]) -> str:
        head = ", ".join(parameters)
        if form in ("method", "object"):
            called = "__call__" if form == "object" else "step"
            inner = [f"def {called}({', '.join(['self', *parameters])}):", *_indented(body)]
            self.before += ["", "", f"class Holder_{own}:", *_indented(inner)]
            return f"Holder_{own}()" + ("" if form == "object" else ".step")
        if form == "partial":
            self.before += ["", "", f"def {own}({', '.join(['scale', *parameters])}):", *_indented(body)]
            return f"partial({own}, 2.0)"
        if form == "maker":
            inner = [f"def {own}({head}):", *_indented(body), f"return {own}"]
            self.before += ["", "", f"def make_{own}():", *_indented(inner)]
            return f"make_{own}()"
        decorator = {"jit": ["@jax.jit"], "checkpoint": ["@jax.checkpoint"]}.get(form, [])
        self.before += ["", "", *decorator, f"def {own}({head}):", *_indented(body)]
        if form == "wrapped":
            self.before += ["", "", f"def outer_{own}({head}):", f"    return {own}({head})"]
            return f"outer_{own}"
        return own

    def called(self, text: str, arguments: str) -> str:
        """A function, or with the fault `called` what a call of it gives."""
        return f"({text})({arguments})" if self.fault == "called" else text

    def run(self, call: str, **given: str) -> list[str]:
        """The lines of the site: the function `run_N`, which makes what is given and calls the transform with it."""
        number, names, local = self.number, list(given), list(self.local)
        head = ", ".join(names)
        if self.place == "inline":
            for name, text in given.items():
                call = call.replace(f"<{name}>", text)
            inner = [*local, f"return {call}"]
            return [*self.before, "", "", f"def run_{number}():", *_indented(inner)]
        for name in names:
            call = call.replace(f"<{name}>", name)
        made = [f"{name} = {text}" for name, text in given.items()]
        if self.place == "variable":
            return [*self.before, "", "", f"def run_{number}():", *_indented([*made, *local, f"return {call}"])]
        if self.place == "helper":
            first, *_ = names
            helper = ["", "", f"def start_{number}():", f"    return {given[first]}"]
            made[0] = f"{first} = start_{number}()"
            inner = [*made, *local, f"return {call}"]
            return [*self.before, *helper, "", "", f"def run_{number}():", *_indented(inner)]
        texts = ", ".join(given.values())
        inner = [*local, f"result = {call}", "return result"]
        if self.place == "method":
            method = [f"def go({', '.join(['self', *names])}):", *_indented(inner)]
            owner = ["", "", f"class Runner_{number}:", *_indented(method)]
            return [*self.before, *owner, "", "", f"def run_{number}():", f"    return Runner_{number}().go({texts})"]
        decorator = ["@jax.jit"] if self.place == "jitted parameter" and "string" not in self.fault else []
        owner = ["", "", *decorator, f"def loop_{number}({head}):", *_indented(inner)]
        return [*self.before, *owner, "", "", f"def run_{number}():", f"    return loop_{number}({texts})"]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else line for line in lines]


def program(seed: int, sites: int = 4) -> ContractProgram:
    """The program of a seed."""
    from tests.contracts.transforms import TRANSFORMS

    choice, lines = Random(seed), HEAD.splitlines()
    made: list[ContractSite] = []
    for number in range(sites):
        name = choice.choice(list(TRANSFORMS))
        kind = TRANSFORMS[name]
        fault = choice.choice(kind.faults) if choice.random() < 0.5 else ""
        writer = SiteWriter(choice, number, fault)
        first = len(lines) + 1
        lines += kind.write(writer)
        made.append(ContractSite(number, range(first, len(lines) + 1), name, fault, writer.form, writer.place))
    return ContractProgram("\n".join(lines) + "\n", tuple(made))
