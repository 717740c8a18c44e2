"""What a library keeps of the functions that it runs: parameters, keys and draws that are made in a trace of JAX.

def net(xs):                            haiku runs it, and keeps its parameters and the next key
    cell = hk.Linear(4)
    return jax.lax.scan(lambda c, x: (cell(c + x), None), xs[0], xs)
hk.transform(net).init(key, xs)         the parameters of `cell` are tracers of the scan

A transform of the library itself hands on what is made inside.  What ran before the trace has its parameters already.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.checks.effects.escapes import OuterWritten
from flake8_jax.analysis.checks.effects.outer import BRANCH
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.library_states import DRAWN, KEPT, OF_LIBRARY, OF_MODULES, RUNNING_INIT
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.provenance import ASSUMED
from flake8_jax.domain.staging import context_of, staged
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class LibraryStateChanged(LatentEvidence):
    """A call that puts something into the state of a `library`; `what` is its text.

    `module` is the name of an object around the running function that is called: once it has run, it has all that it
    keeps.  If it `is_drawn`, each call changes the state.
    """

    library: str
    what: str
    module: str = ""
    is_drawn: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in the trace of a transform of JAX; one of the library keeps an account of it."""
        token = staged(site.ambient)
        is_branch = token is not None and token.trace.role == BRANCH
        if site.frame.context.is_run or site.when or (site.assume(site.when) and not is_branch):
            return
        if token is None:
            module = self.module or _captured(site.op)
            yield replace(self, module=module) if module != self.module else self
            return
        library, _, name = token.trace.transform.partition(".")
        others = OF_LIBRARY[self.library]
        last = name.rpartition(".")[2]
        if library != "jax" or last not in others or token.certainty is ASSUMED:
            return
        if _names_anything(site.frame, RUNNING_INIT):
            return
        if self.is_drawn or not (self.module and _is_called_before(site, self.module)):
            make = partial(
                OuterWritten, self.op, "state", "stream", self.what, others[last], context_of(token, site.chain)
            )
            yield Finding((OuterWritten, self.op, ()), make)


def note_library_call(frame: Frame, op: Op, name: str) -> None:
    """Note the call of a function of a library that changes its state."""
    if (name in KEPT or name in DRAWN) and _is_at_issue(frame):
        library = name.partition(".")[0]
        leave(frame, LibraryStateChanged(op, library, _text(op), is_drawn=name in DRAWN))


def note_module_call(frame: Frame, op: Op, name: str) -> None:
    """Note the call of a module of a library, which makes its parameters when it is called first."""
    library, _, last = name.partition(".")
    is_module = library in OF_MODULES and last.rpartition(".")[2][:1].isupper() and type(op) is ops.Call
    if is_module and _is_at_issue(frame):
        leave(frame, LibraryStateChanged(op, library, _text(op), _captured(op)))


def _is_at_issue(frame: Frame) -> bool:
    return frame.parent is not None and frame.state is not None and not frame.path


def _text(op: Op) -> str:
    return phrase(op.func) if type(op) is ops.Call else phrase(op)


def _captured(op: Op) -> str:
    """The name of an object around a function that is called there, or ""."""
    func = op.func if type(op) is ops.Call else None
    if type(func) is not ops.Name:
        return ""
    owner = func.scope.lookup(func.name).owner
    is_around = owner is not None and owner.frame is not func.scope.frame and owner.kind == "function"
    return func.name if is_around else ""


def _names_anything(frame: Frame, name: str) -> bool:
    """Does a function name something like this, anywhere?"""
    return any(
        (type(op) is ops.Attr or type(op) is ops.Name) and op.name == name
        for statement in frame.function.body for op in within(statement)
    )  # fmt: skip


def _is_called_before(site: CallSite, name: str) -> bool:
    """Does the caller call what it calls by this name, before the call?"""
    chains = chains_of(site.frame.function)
    reads = (read for read in chains.names.get(name, ()) if read.place < site.op.place)
    return any(type(call := chains.parents.get(read)) is ops.Call and call.func is read for read in reads)
