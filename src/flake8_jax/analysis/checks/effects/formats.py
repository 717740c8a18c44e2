"""Formats of `jax.debug.print`: texts made of tracers while JAX traces, and fields without arguments.

jax.debug.print(f"x = {x}")     the text of a tracer, made once: certain where `x` is traced
jax.debug.print("x =", x)       raises, wherever it runs: the format has no field for `x`
def log(text, *values):         both are latent here: the format and what it is given are inputs
    jax.debug.print(text, *values)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, underlying
from flake8_jax.analysis.checks.effects.fields import Misfit, MisfitKind, misfit
from flake8_jax.analysis.checks.effects.filling import argument_text, filled, given_as_value, refilled
from flake8_jax.analysis.checks.instead import shown_text
from flake8_jax.analysis.checks.output import Output
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import ARRAY, DICT, DISPLAYED, FORMATTED_WHOLE, INPUT, STATIC, SYMBOLIC
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependence, Dependences, Input, Token, certain, context_of
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, input_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, replace

FormatFault: TypeAlias = "Literal['frozen', 'captured', 'value'] | MisfitKind"

PRINT, CALLBACK = "jax.debug.print", "jax.debug.callback"
CALLBACKS = frozenset((CALLBACK, "jax.experimental.io_callback", "jax.pure_callback"))
HAND_OVER = "pass it to the callback as an argument"
TEXTS: dict[str, tuple[int, str]] = {
    PRINT: (0, "fmt"),
    **dict.fromkeys(CALLBACKS, (1, "")),
    "jax.experimental.pallas.debug_print": (0, "fmt"),
    "jax.experimental.checkify.check": (1, "msg"),
    "jax.experimental.checkify.debug_check": (1, "msg"),
}
"""The functions that show a text later, with the place and the name of its parameter."""

OPTIONS = frozenset(("fmt", "ordered", "partitioned", "skip_format_check", "_use_logging"))
MADE = (ops.Build, ops.Operate, ops.Call)
"""The ops that make a text: what is only read may be called a text by its annotation alone."""


@dataclass(frozen=True, slots=True)
class FormatMismatched:
    """What is shown later is a text of tracers, or a format that does not fit what it is given.

    `callee` is the text of the function; `fault`: "frozen" (the text is made of a tracer), "captured" (host code shows
    a tracer that it captures), "value" (the format is no text), "unused" and "missing" (an argument without a field, a
    field without an argument), "broken" (it is no format at all), "specification" (an array with axes is formatted as
    a number).  `subject` is the text of what is at issue, `error` the class of the exception.
    """

    op: Op
    callee: str
    fault: FormatFault
    subject: str
    error: str
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class FormatArguments:
    """What a format is given: so many positional arguments, some by name, and inputs that stand for more.

    Those in `several` are arrays of several elements.
    """

    count: int
    names: tuple[str, ...]
    spreads: tuple[Input, ...] = ()
    several: frozenset[int | str] = frozenset()


@dataclass(frozen=True, slots=True)
class ShownLater(LatentEvidence):
    """A text that is shown when the compiled code runs.

    `text` is the constant that it is, or the input; `dependences` are those of what it was made of.  `source` is its
    op, `given` what its fields are filled with, where JAX compares the two.  `is_captured`: it is made by host code, of
    what that captures.
    """

    asks: ClassVar = "`{0.callee}` must show no text of tracers", "a tracer"
    callee: str
    source: Op | None
    text: str | Input | None
    dependences: Dependences
    given: FormatArguments | None = None
    is_captured: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where the caller's text is one of tracers, or its arguments do not fit."""
        value = site.resolve(self.text) if isinstance(self.text, Input) else None
        here = replace(self, given=_given_at(site, self.given))
        if value is not None:
            here = here.with_text(value)
        elif self.dependences:
            here = replace(here, dependences=site.held(self.dependences, True, True))
        fault = here.fault(value)
        if fault is not None:
            yield Finding((FormatMismatched, self.op, fault == "frozen"), here.event(fault, site.chain))
        elif here.is_latent():
            yield here

    def with_text(self, value: Value) -> ShownLater:
        """The same with the value of its text."""
        made = value.made_by if isinstance(value.made_by, MADE) else None
        text: str | Input | None = value.constant if isinstance(value.constant, str) else value.input
        is_made = value.kind is STATIC and text is None and (made is not None or value.made_by is None)
        return replace(self, source=made or self.source, text=text, dependences=value.dependences if is_made else NONE)

    def fault(self, value: Value | None) -> Literal["frozen", "value"] | Misfit | None:
        """What is certainly wrong, if anything is, where the text is this value."""
        if certain(self.dependences) is not None:
            return "frozen"
        given = self.given
        if given is None:
            return None
        if value is not None and (value.kind in FORMATTED_WHOLE or _is_traced(value)):
            return "value"
        if not isinstance(self.text, str) or given.spreads:
            return None
        return misfit(self.text, given.count, given.names, given.several)

    def is_latent(self) -> bool:
        """May a caller make a fault certain?"""
        is_open = self.given is not None and bool(self.given.spreads) and self.text is not None
        return is_open or isinstance(self.text, Input) or bool(self.dependences)

    def event(
        self, fault: Literal["frozen", "value"] | Misfit, chain: tuple[Hop, ...] = ()
    ) -> Callable[[], FormatMismatched]:  # fmt: skip
        """The event of a fault."""
        op, callee, source, text = self.op, self.callee, self.source, self.text
        token: Token | None = certain(self.dependences)
        context = context_of(token, chain)

        def event() -> FormatMismatched:
            subject = shown_text(source) if source is not None else ""
            if fault == "frozen":
                instead = HAND_OVER if self.is_captured else filled(callee, source)
                found: FormatFault = "captured" if self.is_captured else "frozen"
                return FormatMismatched(op, callee, found, subject, "", instead, context)
            if fault == "value":
                instead = given_as_value(callee, source)
                return FormatMismatched(op, callee, "value", subject, "TypeError", instead, context)
            instead = refilled(op, callee, text if isinstance(text, str) else "", fault)
            return FormatMismatched(op, callee, fault.kind, argument_text(op, fault), fault.error, instead, context)

        return event


def _is_traced(value: Value) -> bool:
    """Is a value a tracer, or a container of such?  No text is traced."""
    token = certain(value.dependences) if value.kind in SYMBOLIC else None
    return token is not None and not token.for_arrays


def show_later(frame: Frame, op: Op, name: str, arguments: Arguments) -> Value | None:
    """Report a text that is shown later and made of tracers, or does not fit.

    Else it is left to the callers.  The result is that of `jax.debug.print`: called without a text, it gives the
    function that takes one.
    """
    place, keyword = TEXTS[name]
    positional, sources = arguments.positional, arguments.ops
    if name in CALLBACKS:
        _check_callback(frame, positional[:1])
        handed = zip(arguments.values(), [*sources, *arguments.keyword_ops.values()], strict=False)
        for value, source in handed if name == CALLBACK else ():  # the others take no texts
            _check(frame, op, name, value, source, None)
        return None
    is_named = keyword in arguments.keywords
    if not is_named and place >= len(positional):
        skips = arguments.is_open or "skip_format_check" in arguments.keywords
        return frame.program.api(name) if name == PRINT and not positional and not skips else None
    value = arguments.keywords[keyword] if is_named else positional[place]
    source = arguments.keyword_ops.get(keyword) if is_named else sources[place] if place < len(sources) else None
    if name != PRINT:
        _check(frame, op, name, value, source, None)
        return None
    _check(frame, op, name, value, source, _given(frame, op, arguments))
    return Value(STATIC, payload=NOTHING, made_by=op)


def _check(
    frame: Frame, op: Op, name: str, value: Value, source: Op | None, given: FormatArguments | None
) -> None:  # fmt: skip
    if value.kind is not STATIC and value.kind is not INPUT and given is None:
        return
    shown = ShownLater(op, callee_text(op, name), source, None, NONE, given).with_text(value)
    if value.kind is STATIC and shown.text is None and value in frame.summary.inputs.values():
        shown = replace(shown, text=input_of(value))
    fault = shown.fault(value)
    if fault == "frozen" or (fault is not None and not frame.is_expected):
        emit(frame, (FormatMismatched, op, fault == "frozen"), shown.event(fault))
    elif fault is None and shown.is_latent():
        leave(frame, shown)


def _check_callback(frame: Frame, callbacks: tuple[Value, ...]) -> None:
    """Report output of host code that shows a tracer which it captures: it was a tracer when the code was made."""
    function = underlying(callbacks[0]) if callbacks else None
    if function is None:
        return
    summary = summary_of(frame.program, function)
    for output, effect in summary.requires.effects.of(Output):
        for source, held in output.shown if not effect.chain else ():
            captured = frozenset(one for one in held if one not in summary.ambient and not _is_own(one, summary))
            if captured:
                shown = ShownLater(output.op, output.callee, source, None, captured, is_captured=True)
                if shown.fault(None) is not None:
                    emit(frame, (FormatMismatched, output.op, True), shown.event("frozen"))
                else:
                    leave(frame, shown)


def _is_own(dependence: Dependence, summary: Summary) -> bool:
    """Is it a parameter of the function, or a part of one?"""
    return type(dependence) is Input and any(value.input is dependence.root for value in summary.inputs.values())


def _given(frame: Frame, op: Op, arguments: Arguments) -> FormatArguments | None:
    """What a call gives to the fields of its format; None if that is not known, or not compared."""
    skips = arguments.keywords.get("skip_format_check")
    if skips is not None and skips.constant is not False:
        return None
    spreads = _spreads(frame, op) if arguments.is_open else ()
    if spreads is None:
        return None
    values = arguments.positional if "fmt" in arguments.keywords else arguments.positional[1:]
    names = tuple(name for name in arguments.keywords if name not in OPTIONS)
    named: list[tuple[int | str, Value]] = [*enumerate(values), *((name, arguments.keywords[name]) for name in names)]
    several = frozenset(name for name, value in named if value.kind is ARRAY and value.shape)
    return FormatArguments(len(values), names, spreads, several)


def _spreads(frame: Frame, op: Op) -> tuple[Input, ...] | None:
    """The inputs that a call passes on as `*args` and `**kwargs`; None if it passes on anything else."""
    if type(op) is not ops.Call:
        return None
    starred = [argument.value for argument in op.args if type(argument) is ops.Star]
    starred += [argument for name, argument in op.keywords if name is None]
    found: list[Input] = []
    for argument in starred:
        value = peek(frame, argument)
        if value is None:
            return None
        is_known = value.entries is not None or value.elements is not None
        source = input_of(value) if value.kind is DICT or value.form == "varargs" else None
        if source is None and not is_known:
            return None
        found += [source] if source is not None and not is_known else []
    return tuple(found)


def _given_at(site: CallSite, given: FormatArguments | None) -> FormatArguments | None:
    """What a format is given, with the arguments of the call for the inputs that stand for several."""
    if given is None or not given.spreads:
        return given
    count, names, rest, several = given.count, given.names, [], set(given.several)
    for source in given.spreads:
        value = site.resolve(source)
        if value is None or (value.kind in DISPLAYED and input_of(value) is not None):
            rest.append(source if value is None else input_of(value) or source)
        elif value.elements is not None and not rest:
            several |= {count + n for n, one in enumerate(value.elements) if one.kind is ARRAY and one.shape}
            count += len(value.elements)
        elif value.entries is not None:
            names += tuple(name for name in value.entries if isinstance(name, str) and name not in OPTIONS)
            if "skip_format_check" in value.entries:
                return None
        else:
            return None
    return FormatArguments(count, names, tuple(rest), frozenset(several))
