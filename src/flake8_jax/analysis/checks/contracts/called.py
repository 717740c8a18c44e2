"""Calls of what a transform returns, with arguments that its function refuses.

jax.grad(loss)(params)                      `loss` takes two
jax.vmap(step)(x, y, 3)                     one too many
jax.jit(step)(x, scael=2.0)                 a name that it does not have
jax.value_and_grad(loss)(params, x, params=p)       passed twice

What a transform returns takes what its function takes, but no type says so.
"""

from __future__ import annotations

from functools import partial

from flake8_jax.analysis.callables import Arguments, InstanceOf, Wrapped, underlying
from flake8_jax.analysis.checks.contracts.bodies import SignatureMisfit, named, taken_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.analysis.objects.signatures import Refusal, Signature, signature_of, without_receiver
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.static_options import SIGNATURE_KEPT
from flake8_jax.domain.effects import ClassField
from flake8_jax.domain.provenance import Context
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def refuses_call(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> bool:
    """Report a call of a transformed function with other arguments than the function takes; was it reported?

    Where a transform calls it, that one's own row says so.
    """
    transform = wrapped.applied.transform
    if type(op) is not ops.Call or arguments.is_open or frame.context.is_prepared:
        return False
    if transform.name not in SIGNATURE_KEPT or transform.stage == "transparent" or not is_written(op, arguments):
        return False
    if _may_be_never_called(frame, wrapped) or _is_only_declared(frame, op, arguments):
        return False
    signature = signature_of(frame.program.table, wrapped.callee)
    refusal = signature.refusal(len(arguments.positional), arguments.keywords) if signature is not None else None
    if signature is None or refusal is None:
        return False
    make = partial(_event, op, wrapped, arguments, signature, refusal)
    emit(frame, (SignatureMisfit, op, "call"), make, ground=_field_called(frame, op))
    return True


def _field_called(frame: Frame, op: ops.Call) -> ClassField | None:
    """The field of the receiver that is called, into which the constructor of a class below may store another."""
    receiver = frame.function.parameters[0].name if frame.owner is not None and frame.function.parameters else None
    base = op.func.base if type(op.func) is ops.Attr else None
    if frame.owner is None or type(op.func) is not ops.Attr or type(base) is not ops.Name or base.name != receiver:
        return None
    return frame.owner.function, op.func.name


def _may_be_never_called(frame: Frame, wrapped: Wrapped) -> bool:
    """Is it a sketch, or a method that a class below replaces with another, for methods of its own?"""
    found, above = underlying(wrapped.callee), frame.owner
    if found is None or found.function.is_empty:
        return found is not None
    return above is not None and found.owner is not None and above in ancestry(found.owner)[1:]


def _is_only_declared(frame: Frame, op: ops.Call, arguments: Arguments) -> bool:
    """Is it a method of an object that annotations alone give a class, of which one below may take other arguments?"""
    if not arguments.positional or arguments.written(0) is not None or type(op.func) is not ops.Attr:
        return False
    base, receiver = op.func.base, arguments.positional[0].payload
    own = frame.function.parameters[0].name if frame.owner is not None and frame.function.parameters else None
    is_own = type(base) is ops.Name and base.name == own
    return not is_own and type(receiver) is InstanceOf and receiver.parts is None


def is_written(op: ops.Call, arguments: Arguments) -> bool:
    """Are the arguments those of the call itself, rather than what a transform passes there, or still to be written?"""
    for argument in op.args:
        if type(argument) is ops.Const and argument.value is ...:
            return False
        if type(argument) is ops.Star and type(argument.value) is ops.Name:
            return False  # what is in it, a caller that is not seen may say
    sources = arguments.ops
    return sources.count(None) < len(sources) or bool(arguments.keyword_ops) or not (op.args or op.keywords)


def _event(op: Op, wrapped: Wrapped, arguments: Arguments, signature: Signature, refusal: Refusal) -> SignatureMisfit:
    names, function = refusal.names, named(wrapped.callee, wrapped.applied.op or op)
    listed = ", ".join(f"`{name}`" for name in names)
    count, found = len(arguments.positional), underlying(wrapped.callee)
    is_method = found is not None and found.owner is not None and found.receiver == "instance"
    if is_method and not signature.is_bound and arguments.ops[:1] == (None,):
        signature, count = without_receiver(signature), count - 1
    gets = f"{count or 'no'} argument{'s' * (count != 1)}{' by position' if arguments.keywords else ''}"
    takes = taken_text(signature, refusal)
    instead = "pass what it takes"
    if refusal.kind == "unknown":
        gets, takes = listed, f"takes {signature.text()}"
    elif refusal.kind == "twice":
        gets, takes = f"{listed} by position and by name", "takes it once"
        instead = "pass it once"
    elif refusal.kind == "missing":
        is_by_name = bool(arguments.keywords) or len(signature.positional) == len(names)
        lacking = "the one that is" if len(names) == 1 else f"the {len(names)} that are"
        instead = f"pass {listed}, too" if is_by_name or count < 2 else f"pass {lacking} missing, too"
    return SignatureMisfit(op, "call", wrapped.applied.text, function, gets, takes, instead, Context())
