"""Lists into which a function puts arrays that it donates: what reads all of a list reads them, too.

for _ in range(n):
    frames.append(field)            kept as it is
    field = step(field)             and donated
jnp.stack(frames)                   raises

A copy is put there by `frames.append(field.copy())`, a NumPy array by `np.asarray(field)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import LIST
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Op

ADDING = "append"
COMPOUND = frozenset((ops.Branch, ops.Loop, ops.Try, ops.With, ops.Gather))


def lists_with(frame: Frame, source: Op | None) -> Iterator[Value]:
    """The lists that hold what `source`, an argument that is donated, reads."""
    if type(source) is not ops.Name:
        return
    chains = chains_of(frame.function)
    for name, call, read in _added(chains, source.name):
        held = peek(frame, name) if _is_kept(chains, name, call, read, source) else None
        if held is not None and held.kind is LIST:
            yield held


@searched_for
def _added(chains: Chains, name: str) -> list[tuple[ops.Name, ops.Call, ops.Name]]:
    """The lists to which calls add what a name holds or a part of it, with the calls and the reads of the name."""
    found = []
    for read in chains.names.get(name, ()):
        kept: Op = read
        call = chains.parents.get(read)
        while type(call) is ops.Item and call.base is kept and type(call.index) is ops.Const:
            kept, call = call, chains.parents.get(call)
        if type(call) is not ops.Call or call.args != (kept,) or type(call.func) is not ops.Attr:
            continue
        if call.func.name == ADDING and type(call.func.base) is ops.Name:
            found.append((call.func.base, call, read))
    return found


def _is_kept(chains: Chains, name: ops.Name, call: ops.Call, read: ops.Name, source: ops.Name) -> bool:
    """Does a list still hold what is put into it when this is donated, in the same turn of a loop or in the next one?

    Outside of loops both must stand on one path.
    """
    if any(type(one.func) is not ops.Attr or one.func.name != ADDING for one in chains.called_on(name.name)):
        return False
    way, other = chains.way_to(call), chains.way_to(source)
    loops = [op for op in way if type(op) is ops.Loop and op in other]
    around = [op for op in way[way.index(loops[-1]) + 1 if loops else 0 :] if type(op) in COMPOUND]
    if loops:
        is_certain = all(type(op) is ops.Branch and not _leaves(op) for op in around)
        is_certain &= not chains.stored_in(name.name, loops[-1])
    else:
        is_certain = not around and len(chains.stored_to(name.name)) == 1
    return is_certain and _is_one(chains, read, source)


def _leaves(branch: ops.Branch) -> bool:
    """Does an arm of a branch leave the loop, so that nothing is donated behind it?"""
    return any(type(op) is ops.Leave for arm in (branch.body, branch.orelse) for op in arm)


def _is_one(chains: Chains, read: ops.Name, source: ops.Name) -> bool:
    """May both reads find what one statement binds, or what the caller handed in?"""
    if chains.found_by(read) is chains.found_by(source):
        return True
    targets = (target for target, _ in chains.stored_to(source.name) if type(target) is ops.Name)
    return any({read, source} <= {*chains.uses_of(target)} for target in targets)
