"""Settings of JAX that are made too late on a path: ignored, refused, or obeyed by half.

import jax                                          JAX reads JAX_... when it is imported
os.environ["JAX_ENABLE_X64"] = "1"                  ignored
devices = jax.devices()                             the backend starts
os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/x"    ignored
jax.config.update("jax_num_cpu_devices", 8)         raises
x = jnp.ones(3)                                     of 32 bits
jax.config.update("jax_enable_x64", True)           `x` stays so

The first setting of a name on a path decides; what restores or repeats it is not at issue.  What is set in the
environment for other processes is not, either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import cast

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.effects.advice import WRITING
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.startup.missed import SettingMissed
from flake8_jax.analysis.checks.startup.spelling import check_spelled
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.names import is_bound
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api import startup
from flake8_jax.domain.conditions import Path, assume, exclude
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.provenance import Context, Use
from flake8_jax.domain.staging import certain
from flake8_jax.domain.startup import JaxSetting, LateEffect, PhaseReached, SettingMade, StartPhase, StartSteps, added
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import names_in, statements_in, within
from flake8_jax.syntax.positions import unpacked
from flake8_jax.syntax.tests import is_test_file

WRITES_OR_SETS = WRITING | {"update"}
"""Methods that write a text or make a setting, which do not fail for want of a device."""

ENVIRONMENT, SETTINGS = "os.environ", "jax.config."
DEVICES, HOST_DEVICES = "host_platform_device_count", "host_devices"
"""The flag of XLA that says how many devices the CPU is, and what settings that do it say (api/startup.toml)."""

DEVICES_OF = ("jax.devices", "jax.local_devices")
"""What gives the devices of a platform; the first by its first argument, too."""

CPU = "cpu"
ASKING = "jax.distributed.is_initialized"
OTHER_PROCESSES = frozenset(
    ("subprocess", "multiprocessing", "Popen", "execv", "execvp", "execve", "fork", "spawn", "ray", "submitit", "popen")
)
"""Words of files that start other processes, which inherit the environment."""

OTHERS_WITH_DEVICES = frozenset(("cupy", "tensorflow", "torch"))
"""Libraries that ask the environment for the devices that they may use, where they are imported."""


def note_setting_called(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Note a call of a function of a library that sets something."""
    known = startup.read()
    if name in startup.UPDATES:
        given, value = arguments.get(0, "name"), arguments.get(1, "val")
        text = given.constant if given is not None else None
        if isinstance(text, str):
            check_spelled(frame, op, text, is_environment=False)
            if text in known.settings and not _is_restored(frame, text, arguments):
                written = arguments.written(1, "val")
                set_in(frame, op, _setting(frame, text, "jax.config.update", known.settings[text], value, written))
    elif name in known.calls:
        value, written = arguments.get(0, "platform"), arguments.written(0, "platform")
        set_in(frame, op, _setting(frame, name, name, known.calls[name], value, written))
    elif name.startswith(ENVIRONMENT) or name == "os.putenv":
        for key, value in _variables(name.rpartition(".")[2], arguments):
            note_environment_set(frame, op, key, value)


def _is_restored(frame: Frame, setting: str, arguments: Arguments) -> bool:
    """Is a setting given what it was before, or does the function give it that in the end?"""
    return setting in _given_back(frame.function) or _was_read(chains_of(frame.function), arguments.written(1, "val"))


@searched_once
def _given_back(function: Function) -> frozenset[str]:
    """The settings and variables to which a function gives what it read of them: `update("jax_enable_x64", before)`."""
    chains = chains_of(function)
    found = set[str]()
    for target, store in chains.stores:
        match target, store:
            case ops.Item(base=base, index=ops.Const(value=str() as name)), ops.Store(value=value):
                if imported_name(base) == ENVIRONMENT and _was_read(chains, value):
                    found.add(name)
    for call in chains.methods:
        if imported_name(call.func) in startup.UPDATES and len(call.args) == len(("name", "val")):
            setting, value = call.args
            if type(setting) is ops.Const and _was_read(chains, value):
                found.add(str(setting.value))
    return frozenset(found)


def _was_read(chains: Chains, given: Op | None) -> bool:
    """Is it what was read of the settings before: `before = jax.config.jax_enable_x64`, or of the environment?"""
    statement = chains.statement_binding(given)
    read = statement.value if type(statement) is ops.Store else given
    read = read.func if type(read) is ops.Call else read.base if type(read) is ops.Item else read
    return read is not None and imported_name(read).startswith((SETTINGS, ENVIRONMENT))


def note_environment_set(frame: Frame, op: Op, name: str, value: Value | None) -> None:
    """Note that a variable of the environment is set."""
    check_spelled(frame, op, name, is_environment=True)
    known, lowered = startup.read(), name.lower()
    row = known.environment.get(name, "")
    if not row and lowered.startswith(startup.PREFIX) and name.isupper() and lowered in startup.known_settings():
        row = "imported ignored"
    if row and name not in _given_back(frame.function):
        set_in(frame, op, _setting(frame, name, ENVIRONMENT, row, value, is_environment=True))


def set_in(
    frame: Frame, op: Op, setting: JaxSetting, use: Use | None = None, when: Path = (), beside: StartSteps = ()
) -> None:
    """Report a setting that comes too late here, or leave it to the callers.

    `beside` are the steps of the callee, among them the setting itself.
    """
    state, known = frame.state, startup.read()
    is_platform = known.said(setting.name) == startup.PLATFORM
    if state is None or certain(frame.ambient) is not None or (setting.is_default and not is_platform):
        return
    use = use or Use(frame.namespace.path, op.anchor.line, setting.by)
    step = SettingMade(setting, op, use, assume(state.path, when), frame.iterations)
    earlier = _too_late(frame, step)
    if earlier is None or setting.is_default:
        if not _is_once(frame, op):
            state.started = added(state.started, (step,))
    elif not (
        _is_meant(frame, step, beside)
        or _has_failed_before(frame, op, earlier.op)
        or (is_platform and any(_is_answer(frame, step, start) for start in _starts(frame, earlier)))
    ):
        instead, subject = _instead(frame, op, setting, earlier), _name_of(frame, earlier)
        event = SettingMissed(
            op, setting.name, setting.effect, setting.by, instead, Context(), setting.phase, use, earlier.use, subject,
            None if setting.phase == "imported" or chains_of(frame.function).holds(earlier.op) else frame.function,
        )  # fmt: skip
        emit(frame, (SettingMissed, op, setting.name), lambda: event, when)


def _is_meant(frame: Frame, made: SettingMade, beside: StartSteps) -> bool:
    """Is it no harm that a setting comes too late, or is that expected?"""
    if made.setting.effect == "raises" and frame.is_expected:
        return True
    if _is_program_under_test(frame, made.use) or _is_for_other_devices(frame, made, beside):
        return True
    return made.setting.is_environment and (_is_for_others(frame, made) or _is_set_besides(frame, made, beside))


def _has_failed_before(frame: Frame, op: Op, start: Op) -> bool:
    """Is a setting for the case that what starts JAX has failed?  The next start listens to it: measured.

    try: jax.devices()
    except RuntimeError: jax.config.update("jax_platforms", "cpu")
    """
    chains = chains_of(frame.function)
    way, other = chains.way_to(op), chains.way_to(start)
    return any(
        type(one) is ops.Try and _raises_alone(one.body, other) and not any(part in one.body for part in way)
        for one in way
    )  # fmt: skip


def _starts(frame: Frame, earlier: PhaseReached) -> list[Op]:
    """What has started JAX, or taken it too far for a setting."""
    steps = (step for step in frame.live().started if isinstance(step, PhaseReached) and step.phase == "started")
    return [earlier.op, *(step.op for step in steps if step is not earlier)]


def _is_answer(frame: Frame, made: SettingMade, question: Op) -> bool:
    """Is a platform set that a question for devices, which starts JAX, has shown to be the one that JAX takes anyway?

    if jax.devices("gpu"): ...
    else: jax.config.update("jax_platforms", "cpu")
    """
    value = made.setting.value
    if value is None:
        return _feeds(frame, question, made.op)
    chains = chains_of(frame.function)
    way = chains.way_to(made.op)
    if value != CPU or _asks_for_any(chains, question):
        return False
    told = _told_by(chains, question)
    return any(
        type(one) is ops.Branch and inner is not one.test and _lacks(one.test) is (inner in one.body)
        and (not told.isdisjoint(names_in(one.test)) or any(part is question for part in within(one.test)))
        for one, inner in pairwise(way)
    )  # fmt: skip


def _asks_for_any(chains: Chains, question: Op) -> bool:
    """Does a question compare devices with what is not written out, so that it may be about some of them alone?"""
    holding = next((one for one in reversed(chains.way_to(question)) if type(one) in (ops.Store, ops.Branch)), question)
    around = holding.test if type(holding) is ops.Branch else holding
    tests = (part for part in within(around) if type(part) is ops.Compare)
    return any(not any(type(operand) is ops.Const for operand in test.operands) for test in tests)


def _lacks(test: Op) -> bool:
    """Does a test hold where something is not there: `not gpus`, `len(gpus) == 0`, `backend == "cpu"`?"""
    match test:
        case ops.Operate(operator="not"):
            return True
        case ops.Compare(operators=("is" | "==" | "<" | "<=",), operands=(_, ops.Const(value=(None | False | 0 | 1)))):
            return True
        case ops.Compare(operators=("==",), operands=(_, ops.Const(value="cpu"))):
            return True
        case ops.Compare(operators=("!=" | "not in",), operands=(_, ops.Const(value=str() as name))):
            return name != CPU
        case ops.Compare(operators=("not in",)):
            return True
    return False


def _told_by(chains: Chains, question: Op) -> set[str]:
    """The names that tell what a question has given: bound to it, to what is made of them, or below a `try` of it."""
    found, waiting, seen = set[str](), [question], set[Op]()
    while waiting:
        way = chains.way_to(waiting.pop())
        stores = [one for one in way[-1:] + way if type(one) is ops.Store][:1]
        around = next((one for one in reversed(way) if type(one) is ops.Try), None)
        if around is not None:
            stores += [one for one in statements_in((around,)) if type(one) is ops.Store]
        for store in stores:
            if store not in seen:
                seen.add(store)
                names = [inner for target in store.targets for inner in within(target) if type(inner) is ops.Name]
                found.update(name.name for name in names)
                waiting += (read for name in names for read in chains.uses_of(name))
    return found


def _raises_alone(body: ops.Body, start: Collection[Op]) -> bool:
    """Does nothing behind a start call what may raise: is a text written there, or another setting made?"""
    place = next((place for place, one in enumerate(body) if one in start), None)
    if place is None:
        return False
    calls = [part.func for one in body[place + 1 :] for part in within(one) if type(part) is ops.Call]
    return all(
        (type(func) is ops.Name and func.name in WRITING) or (type(func) is ops.Attr and func.name in WRITES_OR_SETS)
        for func in calls
    )


def _is_program_under_test(frame: Frame, use: Use) -> bool:
    """Is it a setting of a program that a test runs in its own process, after others?"""
    if not frame.function.name.startswith("test"):
        return False
    return use.innermost.path != frame.namespace.path and is_test_file(frame.namespace.file.path)


def _is_once(frame: Frame, op: Op) -> bool:
    """Does the function ask for something that it sets itself, so that a call before this one may have done its work?

    if _is_ready: return
    ...
    _is_ready = True
    """
    chains, scope = chains_of(frame.function), frame.function.scope
    way, shared = chains.way_to(op), scope.globals | scope.nonlocals
    flags = {
        phrase(target)
        for target, _ in chains.stores
        if (type(target) is ops.Name and target.name in shared) or type(target) is ops.Attr
    }
    return bool(way) and any(
        type(part) in (ops.Name, ops.Attr) and (phrase(part) in flags or imported_name(part) == ASKING)
        for test in chains.tests_on(way)
        for part in within(test)
    )


def _is_set_besides(frame: Frame, made: SettingMade, beside: StartSteps) -> bool:
    """Is it set by a setting of JAX, too, so that nothing depends on the variable?

    Before, or beside it by the callee, or anywhere in the function; for a statement of the module anywhere in the file,
    if JAX listens after its start.  Whether that one comes too late, it says itself.
    """
    known, setting, anchor = startup.read(), made.setting, made.op.anchor
    lines = anchor.origin.source.lines[anchor.line - 1 : max(anchor.line, unpacked(made.op.place)[2])]
    said = {known.said(setting.name), *((HOST_DEVICES,) if DEVICES in "".join(lines) else ())}
    steps = (one for one in (*_before(frame), *frame.live().started, *beside) if isinstance(one, SettingMade))
    others = {one.setting.name for one in steps if not one.setting.is_environment}
    others |= _updates_in(frame.function)
    is_heard_later = not known.settings.get(setting.name.lower(), "").startswith("started")
    if frame.function.kind == "module" and setting.phase == "imported" and is_heard_later:
        others |= frame.namespace.file.updates
    return not said.isdisjoint(map(known.said, others))


@searched_once
def _updates_in(function: Function) -> frozenset[str]:
    """The settings that a function updates by name."""
    updates = [call for call in chains_of(function).methods if imported_name(call.func) in startup.UPDATES]
    return frozenset(str(call.args[0].value) for call in updates if call.args and type(call.args[0]) is ops.Const)


def _is_for_other_devices(frame: Frame, made: SettingMade, beside: StartSteps) -> bool:
    """Is it for GPUs alone where what stands before or beside it asks for TPUs or the CPU, or the like?"""
    known, name = startup.read(), made.setting.name
    before = (*_before(frame), *frame.live().started)
    return any(
        isinstance(step, SettingMade) and bool(step.setting.value)
        and known.said(step.setting.name) == startup.PLATFORM and frozenset(step.path).issubset(path)
        and not known.is_obeyed(name, known.platform(step.setting.value or ""))
        for steps, path in ((before, made.path), (beside, _path_in(beside, made.setting))) for step in steps
    )  # fmt: skip


def _path_in(steps: StartSteps, setting: JaxSetting) -> Path:
    """The path on which steps make a setting."""
    return next((step.path for step in steps if isinstance(step, SettingMade) and step.setting is setting), ())


def _too_late(frame: Frame, made: SettingMade) -> PhaseReached | None:
    """What took JAX too far, on the way to a setting; None if nothing did, or it was made before."""
    found: PhaseReached | None = None
    known = startup.read()
    for step in (*_before(frame), *frame.live().started):
        if exclude(step.path, made.path):
            continue
        if isinstance(step, SettingMade):
            is_same = known.said(step.setting.name) == known.said(made.setting.name)
            if is_same and (not step.setting.is_default or step.setting.value == made.setting.value):
                return None
        elif found is None and _comes_first(frame, step, made):
            found = _followed(frame, step, made.setting.phase) if step.file else step
    return found or _of_packages(frame, made)


def _of_packages(frame: Frame, made: SettingMade) -> PhaseReached | None:
    """What the packages around the file have done before it is imported."""
    if made.setting.phase not in ("imported", "started"):
        return None
    use = frame.program.linked.step_of_packages(frame.namespace.file.path, made.setting.phase)
    return PhaseReached(made.setting.phase, made.op, use, (), ()) if use is not None else None


def _before(frame: Frame) -> StartSteps:
    """The steps that the statements of the module have taken before the one in which the frame runs."""
    unit = frame.module.unit
    return frame.program.linked.steps_before(frame.namespace.file.path, unit) if unit is not None else ()


def _comes_first(frame: Frame, step: PhaseReached, made: SettingMade) -> bool:
    phase = made.setting.phase
    if step.file:
        return True
    if step.phase != phase and not (phase == "imported" and step.phase == "started"):
        return False
    if step.phase in ("made", "keyed"):
        now = dict(frame.iterations)
        is_now = all(now.get(loop, turn) == turn for loop, turn in step.iterations)
        return is_now and step.value is not None and is_bound(frame, step.value)
    return True


def _followed(frame: Frame, step: PhaseReached, phase: StartPhase) -> PhaseReached | None:
    """The step that the import of a file of the project takes, if it takes one.

    Of arrays that other modules make nobody here knows what reads them.
    """
    use = frame.program.linked.step_of_import(step.file, phase) if phase in ("imported", "started") else None
    if use is None:
        return None
    within = Use(step.use.path, step.use.line, step.use.by, within=use)
    return PhaseReached(phase, step.op, within, step.path, step.iterations)


def _instead(frame: Frame, op: Op, setting: JaxSetting, earlier: PhaseReached) -> str:
    """What to do instead: another way to set it, or the place where it counts."""
    lowered = setting.name.lower()
    update = SettingMade(JaxSetting(lowered, "", "started", "ignored"), op, earlier.use, frame.path, frame.iterations)
    if setting.is_environment and setting.phase == "imported" and _too_late(frame, update) is None:
        return f'use `jax.config.update("{lowered}", ...)`, before anything uses JAX'
    use, chains = earlier.use, chains_of(frame.function)
    if earlier.op is not op and _feeds(frame, earlier.op, op):
        may_lack = ", or leave it out" if setting.by in startup.read().calls else ""
        return f"take what is set from elsewhere, without `{use.innermost.by}`{may_lack}"
    if use.path == op.anchor.origin.shown and use.line < op.anchor.line:
        tests = [one.test for one in chains.way_to(op) if type(one) is ops.Branch]
        if any(_feeds(frame, earlier.op, test) for test in tests):
            if startup.read().said(setting.name.lower()) == startup.PLATFORM:
                return f"decide that without `{use.innermost.by}`, or leave it out if JAX takes that platform by itself"
            return f"decide that without `{use.innermost.by}`, so that nothing starts JAX before it"
        if _needs_later(frame, op, use.line):
            return f"let nothing before it start JAX: line {use.line} is the first that does"
        return f"set it above line {use.line}"
    return "set it where the program starts, before anything else of JAX"


def _needs_later(frame: Frame, op: Op, line: int) -> bool:
    """Does a setting, or a test on its way, read a parameter, or a name that is bound below an earlier line?"""
    chains = chains_of(frame.function)
    way = chains.way_to(op)
    statement = next((one for one in reversed(way) if type(one) is ops.Store), op)
    read = set[str]().union(names_in(statement), *map(names_in, chains.tests_on(way)))
    given = {parameter.name for parameter in frame.function.parameters}
    return any(name in given or any(at.anchor.line > line for _, at in chains.stored_to(name)) for name in read)


def _feeds(frame: Frame, source: Op, made: Op) -> bool:
    """Is what an op of this function gives read where something is set, by itself or through names?"""
    chains, seen = chains_of(frame.function), set[Op]()
    waiting = [source]
    while waiting:
        way = chains.way_to(waiting.pop())
        if made in way:
            return True
        store = next((one for one in reversed(way) if type(one) is ops.Store), None)
        if store is not None and store not in seen:
            seen.add(store)
            names = (inner for target in store.targets for inner in within(target) if type(inner) is ops.Name)
            waiting += (read for name in names for read in chains.uses_of(name))
    return False


def _name_of(frame: Frame, step: PhaseReached) -> str:
    """The name that holds an array or a key that was made."""
    names = frame.live().names.items() if step.value is not None else ()
    return next((name for name, value in names if value is step.value), "")


def _setting(
    frame: Frame, name: str, by: str, row: str, value: Value | None, written: Op | None = None,
    is_environment: bool = False,
) -> JaxSetting:  # fmt: skip
    known, constant = startup.read(), value.constant if value is not None else OPEN
    phase, effect = row.split()
    text = None if constant is OPEN else "" if constant is None else str(constant)
    is_default = effect != "raises" and text is not None and known.is_default(name, text)
    if known.said(name) == startup.PLATFORM and not is_default:
        is_default = any(_is_same_platform(asked, text, written) for asked in _platforms_asked(frame.function))
    return JaxSetting(name, by, cast("StartPhase", phase), cast("LateEffect", effect), is_environment, is_default, text)


def _is_same_platform(asked: Op, text: str | None, written: Op | None) -> bool:
    """Is a platform of which devices are asked for the one that is set?"""
    if type(asked) is ops.Const:
        return asked.value == text
    return written is not None and phrase(asked) == phrase(written)


@searched_once
def _platforms_asked(function: Function) -> tuple[Op, ...]:
    """The platforms of which a function asks for devices: `jax.devices("cpu")`, `jax.local_devices(backend=p)`."""
    found: list[Op] = []
    for call in chains_of(function).methods:
        if imported_name(call.func) in DEVICES_OF:
            found += (value for name, value in call.keywords if name == "backend")
            found += call.args[:1] if imported_name(call.func) == DEVICES_OF[0] else ()
    return tuple(found)


def _variables(method: str, arguments: Arguments) -> Iterator[tuple[str, Value | None]]:
    """The variables that a call sets, with their values: `environ.update`, `environ.setdefault`, `putenv`."""
    if method == "update":
        yield from arguments.keywords.items()
        entries = arguments.positional[0].entries if arguments.positional else None
        yield from ((key, value) for key, value in (entries or {}).items() if isinstance(key, str))
    elif method in ("setdefault", "putenv", "__setitem__") and arguments.positional:
        text = arguments.positional[0].constant
        if isinstance(text, str):
            yield text, arguments.get(1, "value")


def _is_for_others(frame: Frame, made: SettingMade) -> bool:
    """Is a variable for other processes, which the file starts, or for a library that is imported behind it?"""
    op = made.op
    if not OTHER_PROCESSES.isdisjoint(op.anchor.origin.source.words):
        return True
    if not made.setting.name.endswith("_VISIBLE_DEVICES"):
        return False
    unit = frame.module.unit
    if frame.function.kind == "module" and unit is not None:
        return not OTHERS_WITH_DEVICES.isdisjoint(frame.namespace.file.words_after(unit))
    stores = (store for _, store in chains_of(frame.function).stores if store.anchor.line > op.anchor.line)
    return any(
        type(store) is ops.Store and type(store.value) is ops.Imported
        and store.value.qualified.partition(".")[0] in OTHERS_WITH_DEVICES
        for store in stores
    )  # fmt: skip
