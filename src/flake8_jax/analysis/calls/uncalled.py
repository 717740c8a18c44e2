"""Compiled functions of whose traces there is nothing to say.

fast = jax.jit(measure)             nothing reads `fast`: a trial that was left
for model in models:
    measure(model)                  runs without a trace, so that what it asks of values it gets
step = jax.jit(f); step = f         nor does anything find the first `step` any more

def fit(data):
    @jax.jit
    def loss(params): ...           nothing in `fit` reads `loss`, and nobody else can

run = jax.jit(lambda n: jnp.zeros(n))
with pytest.raises(TypeError):
    run(3)                          the only call, and its error is what is asked for

class Pool(eqx.Module):
    def __call__(self, x, batch):   traced like most methods of this name, but not where a number of Python is made
        n = int(batch.max()) + 1    of an argument: whoever wrote that calls it outside of traces

class Scores(hk.Module):
    def __call__(self, x, names, target):
        place = names.index(target) names are a list of the host, that `jit` would not take
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Wrapped, underlying
from flake8_jax.analysis.checks.concrete import CONVERTING, OF_WHOLE, TRUTHS, NeedsConcrete
from flake8_jax.analysis.evaluate.exceptions import is_to_raise
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.provenance import BY_CONVENTION, USUALLY
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import only_target, within
from flake8_jax.syntax.tests import is_test_file

SEVERAL = 4
"""Who asks for so many values of what a module is given writes it to run outside of traces, whatever others do."""

SEARCH = "index"
"""The method of sequences that no array has."""


def is_uncalled(frame: Frame, wrapped: Value) -> bool:
    """Is a function compiled for a name that nothing reads before it is bound again, or for an attribute that is
    replaced next?

    A name of a module is for others, too, unless the file calls the function under its own.
    """
    function, made = underlying(wrapped), wrapped.made_by
    is_local = frame.function.kind not in ("module", "class")
    is_plain = type(wrapped.payload) is Wrapped and (is_local or wrapped.payload.applied.transform.is_compiled)
    if frame.function.kind == "class" or not is_plain or function is None or made is None:
        return False
    chains = chains_of(frame.function)
    statement = chains.parents.get(made)
    target = only_target(statement)
    if type(target) is ops.Attr and statement is not None:
        return _is_replaced(frame.function.body, chains, target, statement)
    if type(target) is not ops.Name:
        return False
    if frame.function.kind == "module" and not _is_called(chains, function.function.name):
        return False
    binding = target.scope.lookup(target.name)
    if binding.owner is not target.scope or binding in chains.captured:
        return False
    return binding not in chains.loaded or (is_local and not any(True for _ in chains.uses_of(target)))


def _is_replaced(body: ops.Body, chains: Chains, target: ops.Attr, statement: ops.Op) -> bool:
    """Does a later statement of the body store something else there, before anything reads of the object?"""
    later = [other for _, other in chains.stored_to(phrase(target)) if other is not statement and other in body]
    if type(target.base) is not ops.Name or statement not in body or not later:
        return False
    start = body.index(statement)
    ends = [end for end in map(body.index, later) if end > start]
    between = body[start + 1 : min(ends)] if ends else ()
    targets = {each for one in between if type(one) is ops.Store for each in one.targets}
    reads = (each for one in between for each in within(one) if type(each) is ops.Name)
    return bool(ends) and all(
        each.name != target.base.name or chains.parents.get(each) in targets for each in reads
    )  # fmt: skip


def _is_called(chains: Chains, name: str) -> bool:
    """Does a statement of the module call what has this name?"""
    for read in chains.names.get(name, ()):
        around = chains.parents.get(read)
        if type(around) is ops.Call and around.func is read:
            return True
    return False


def is_refused_only(frame: Frame, wrapped: Value) -> bool:
    """Is a function transformed for calls alone of which each is expected to raise?"""
    made = wrapped.made_by
    chains = chains_of(frame.function)
    statement = chains.parents.get(made) if made is not None else None
    target = only_target(statement)
    uses = list(chains.uses_of(target)) if type(target) is ops.Name else ()
    if not uses or type(target) is not ops.Name or not all(_is_refused(frame, chains, use) for use in uses):
        return False
    return target.scope.lookup(target.name) not in chains.captured


def _is_refused(frame: Frame, chains: Chains, read: ops.Name) -> bool:
    """Is it the function of a call that is expected to raise?"""
    around = chains.parents.get(read)
    return type(around) is ops.Call and around.func is read and is_to_raise(frame, around)


def is_eager(frame: Frame, wrapped: Value) -> bool:
    """Does a method that only a convention says is traced convert what it computes of its arguments, or look for
    something in a list that it is given?

    That of a test runs as the test runs it.
    """
    function = underlying(wrapped)
    role = wrapped.payload.applied.transform.role if type(wrapped.payload) is Wrapped else ""
    if function is None or role not in (USUALLY, BY_CONVENTION):
        return False
    if _searches_list(function.function):
        return True
    effects = summary_of(frame.program, function).requires.effects
    needed = [asked for asked, _ in effects.of(NeedsConcrete)]
    if role == USUALLY:
        return any(map(_converts, needed))
    enough = 1 if is_test_file(function.function.anchor.origin.path) else SEVERAL
    return len({asked.op for asked in needed if asked.form not in TRUTHS}) >= enough


def _searches_list(function: ops.Function) -> bool:
    """Is a parameter that every call passes a list of the host, in which `names.index(name)` looks for something?"""
    chains = chains_of(function)
    required = [parameter.name for parameter in function.parameters[1:] if parameter.default is None]
    return any(
        type(call.func) is ops.Attr and call.func.name == SEARCH and not chains.stored_to(name)
        for name in required for call in chains.called_on(name)
    )  # fmt: skip


def _converts(asked: NeedsConcrete) -> bool:
    """Is it a conversion by a word, of what is computed of an argument beside the object?"""
    is_computed = asked.is_made or type(asked.op) is ops.Call or asked.form in OF_WHOLE
    of_arguments = [one for one in asked.dependences if type(one) is not Input or one.name != "self"]
    return asked.form in CONVERTING and is_computed and bool(of_arguments)
