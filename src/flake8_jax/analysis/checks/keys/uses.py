"""Uses of keys: one mechanism for every way in which a key can be drawn from twice.

A use is kept with its path and the loop iterations in which it was made; a further use is an event if one run can take
both paths.  A part of a key array and the whole array use up each other; two parts do not.
"""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from flake8_jax.analysis.callables import Decorated, FunctionValue, InstanceOf, Partial
from flake8_jax.analysis.checks.discarded import check_derivations
from flake8_jax.analysis.checks.instead import (
    can_bind,
    hand_in,
    is_single,
    may_be_several,
    pass_in,
    put_into_copy,
    split_and_hand_back,
    split_and_store,
    split_first,
    split_in_loop,
)
from flake8_jax.analysis.checks.keys.advancing import (
    is_set_in_copies,
    other_half,
    report_handed_back,
    unused_child,
    unused_half,
)
from flake8_jax.analysis.checks.keys.byproducts import is_beside
from flake8_jax.analysis.checks.keys.carrying import report_carried, report_thrown_away, throws_away
from flake8_jax.analysis.checks.keys.comparisons import are_held_together, are_same_data, are_two_points, is_only_held
from flake8_jax.analysis.checks.keys.constant_keys import note_constant, seed_behind
from flake8_jax.analysis.checks.keys.derivations import ancestors, check_alike, check_fixed_part
from flake8_jax.analysis.checks.keys.factors import if_counted
from flake8_jax.analysis.checks.keys.held_in_turn import holds_another, is_held_by_element
from flake8_jax.analysis.checks.keys.independence import (
    belong_together,
    draws_figure,
    fold_names_in,
    is_aligned,
    is_augmentation,
    is_common,
    is_compared,
    is_demonstrating,
    is_evaluation,
    is_for_evaluation,
    is_for_the_rest,
    is_for_training,
    is_of_views,
    is_only_likely,
    is_same_again,
    is_set_up,
    is_shown,
    is_shuffle,
    is_start_of_replicas,
    leaves,
    lets_half_lie,
    may_be_common,
)
from flake8_jax.analysis.checks.keys.inference import are_inferences
from flake8_jax.analysis.checks.keys.lanes import parts_by_lane
from flake8_jax.analysis.checks.keys.lessons import shown_alike
from flake8_jax.analysis.checks.keys.origins import input_behind, is_from_outside, is_no_key, item_behind, made_here
from flake8_jax.analysis.checks.keys.relations import earlier_uses_of, targets
from flake8_jax.analysis.checks.keys.remedies import remedy, site_of
from flake8_jax.analysis.checks.keys.repetition import (
    KeyRepeated,
    feeds_itself,
    is_demonstration,
    is_of_one_turn,
    loop_around,
    may_run_once,
    one_each,
    repeated_by,
    report_copies,
    report_repeated,
)
from flake8_jax.analysis.checks.keys.retries import is_refused
from flake8_jax.analysis.checks.keys.shared_children import check_children
from flake8_jax.analysis.checks.keys.sinks import Sink
from flake8_jax.analysis.checks.keys.smoke_tests import is_smoke_test
from flake8_jax.analysis.checks.keys.starts import start_apart
from flake8_jax.analysis.checks.keys.swapped import check_swapped
from flake8_jax.analysis.checks.keys.tried import (
    are_functions_tried,
    are_points_of_curve,
    begins_anew,
    draws_curve,
    fills_table,
    is_item_tried,
    is_timed,
)
from flake8_jax.analysis.checks.naming import is_argument, mentions, name_of, written_in
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.labels.questions import is_read, readings, readings_of_iterations
from flake8_jax.analysis.labels.tables import COPYING
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, ancestry, lookup, stored_elsewhere, stores_into
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.stated_rules import is_derivative
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.analysis.summaries.seeded_draws import is_varied, note_seeded
from flake8_jax.domain.conditions import ALWAYS, Path, assume, facts_shared_by_all, is_impossible
from flake8_jax.domain.effects import Effect
from flake8_jax.domain.key_parts import KeyPart, Turn
from flake8_jax.domain.kinds import INSTANCE, KEYS, MAY_BE_KEY, RANDOM_KEYS
from flake8_jax.domain.payload import Copies
from flake8_jax.domain.provenance import Certainty, Context, Use, certain_if
from flake8_jax.domain.resources import (
    MAXIMUM_DEPTH,
    MAXIMUM_DRAWS,
    ByElement,
    ByFunction,
    Discarded,
    DrawSite,
    KeySite,
    Means,
    Repetition,
    Used,
    crosses_iterations,
    is_compatible,
    loops_between,
)
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Attr, Call, Function, Leave, Loop, Name, Op, Star
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.ir.walking import names_in, statements_in, within
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.positions import line_of

SPLIT = "jax.random.split"

ReuseForm: TypeAlias = Literal["again", "display", "call", "captured"]


@dataclass(frozen=True, slots=True)
class Inside:
    """Where a called function uses the key: the chain of uses below the call.

    `below`: the access path to it from the argument `root`; `name`: what the function calls it; `use`: where it uses it
    up.  It `varies` where the path has an index that is not known, so that each call may take another key.  An object
    that the function captures may have the key in an attribute, `held_as`.
    """

    below: str = ""
    name: str = ""
    use: Use | None = None
    root: Value | None = None
    varies: bool = False
    held_as: str = ""


NOWHERE = Inside()


@dataclass(frozen=True, slots=True)
class KeyConsumed:
    """A key is used up a second time.

    It is reported at the argument that is the key, or at the call if the key comes in hidden.  `key` is its text, ""
    where no name leads to it; `use` is this use, `earlier` those before it on a compatible path; `reuse` says how the
    uses meet: one after the other ("again"), in one display such as an rngs dict ("display"), by one call ("call"), by
    calls of a function that draws from a captured or bound key ("captured"); `instead` is what to write.  It is likely
    where the uses may be alike on purpose; `half` is the other part of the split, if that is unused, else it is
    repaired at its `site`.
    """

    op: Op
    key: str
    use: Use
    earlier: tuple[Use, ...]
    reuse: ReuseForm
    instead: str
    context: Context
    half: str = ""
    site: KeySite | None = None

    @property
    def rewrite(self) -> Rewrite | None:
        """The changes that repair it."""
        return other_half(self.op, self.half)

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried."""
        return remedy(self.site, self.rewrite, self.instead)


@dataclass(frozen=True, slots=True)
class UseForm:
    """Draws in a callee that are made if a condition of the caller holds."""

    when: Path
    draws: tuple[DrawSite, ...]


@dataclass(frozen=True, slots=True)
class HiddenDraws:
    """The draws in a callee that use up a key on some paths, with the callee's arguments, by parameter."""

    ways: tuple[UseForm, ...]
    arguments: tuple[tuple[str, Value], ...]
    is_method: bool


def consume(
    frame: Frame, value: Value, op: Op, place: Op | None, by: str,
    reuse: ReuseForm = "again", means: Means = None, inside: Inside = NOWHERE, hidden: HiddenDraws | None = None,
    is_possible: bool = False,
) -> None:  # fmt: skip
    """Use up a key: report it if it was used up before on a compatible path.

    The key is used up by `by` at `op`; `place` is the op of the argument, or of the object that `inside` leads on from;
    `means` distinguishes uses.  A use `is_possible` only, where nobody knows the body of what gets the key.
    """
    if value.kind not in MAY_BE_KEY or is_no_key(frame, value):
        return
    counted = if_counted(frame, op) if hidden is None and not is_possible else ALWAYS
    if counted is None:
        return
    state = frame.live()
    path, state.path = state.path, assume(state.path, counted)
    _consume(frame, value, op, place, by, reuse, means, inside, hidden, is_possible)
    state.path = path


def _consume(
    frame: Frame, value: Value, op: Op, place: Op | None, by: str,
    reuse: ReuseForm, means: Means, inside: Inside, hidden: HiddenDraws | None, is_possible: bool,
) -> None:  # fmt: skip
    """Use up a key on the path on which what is drawn counts."""
    repetition = None
    if frame.repetitions and not inside.varies:
        repetition = repeated_by(frame, value, inside.root, reuse == "captured")
    value = value.original
    state = frame.live()
    path = state.path if hidden is None else assume(state.path, facts_shared_by_all(way.when for way in hidden.ways))
    if is_impossible(path):
        return
    use = Use(frame.namespace.path, line_of(op), by, inside.use, is_possible)
    at = place if place is not None and not inside.below and is_argument(op, place) else None
    draw = _draw(frame, op, at, means, hidden, is_possible and frame.discarded is op)
    used = Used(op, use, path, frame.iterations, means, draw, at)
    found = earlier_uses_of(state, value, frame.iterations, frame.program.record.given_up)
    earlier = [one for one in found if _is_met(frame, value, one, used)]
    is_element = place is None and is_held_by_element(frame, op, value)
    if is_element:
        earlier = [one for one in earlier if not holds_another(frame, value, one, used)]
    if inside.held_as:
        earlier = [one for one in earlier if not _holds_another(frame, inside.held_as, one, used)]
    if frame.repetitions and type(value.payload) is Copies and is_read(draw):
        _report_copies(frame, value, used, frame.repetitions[-1])
    if repetition is not None:
        _report_repetition(frame, value, used, repetition, place, inside, reuse)
        earlier = [one for one in earlier if not crosses_iterations(one, frame.iterations)]
    earlier = _report_handed_back(frame, earlier, used)
    in_vain = check_derivations(frame, list(found), used, place) if found and not is_possible else []
    if in_vain:  # what was used before they were derived is used again by the same mistake
        latest = [one for one in found if one in in_vain][-1]
        earlier = [one for one in list(found)[list(found).index(latest) + 1 :] if one in earlier]
    if not earlier:
        if not is_possible and not in_vain and not is_element:
            check_alike(frame, value, used)
            check_children(frame, value, used)
            check_swapped(frame, value, used)
    elif value not in frame.program.record.reported and not check_fixed_part(frame, value, earlier, used):
        for together in _apart(frame, earlier):
            certain, likely = _harmful(frame, together, used)
            if not any(found[one] for one in certain) or _is_of_data(value, inside, certain, used):
                certain, likely = [], [*certain, *likely]
            if certain or likely:
                _report(frame, value, place, inside, used, certain or likely, reuse, certain_if(bool(certain)))
    state.used.add(value, (used,))
    if frame.parent is not None and value.payload is not None and not is_possible:
        _note_seed(frame, value, used)
    _tell_callers(frame, value, used, hidden)


def _is_of_data(value: Value, inside: Inside, earlier: list[Used], used: Used) -> bool:
    """Does a key lie in the data for which one function is computed again: in a tuple that is handed on whole?"""
    source = value.input
    is_item = source is not None and source.step is not None and type(source.step[1]) is int
    return is_item and bool(inside.below) and all(one.use.by == used.use.by for one in earlier)


def _holds_another(frame: Frame, attribute: str, earlier: Used, used: Used) -> bool:
    """Do two functions hold different keys, since the attribute that they captured is bound again between their traces?

    Each holds what it was when it was called first.
    """
    if type(earlier.op) is not Call or type(used.op) is not Call or phrase(earlier.op.func) == phrase(used.op.func):
        return False
    first, last = earlier.op.anchor.line, used.op.anchor.line
    return any(
        type(target) is Attr and target.name == attribute and first <= statement.anchor.line < last
        for target, statement in chains_of(frame.function).stores
    )


def _note_seed(frame: Frame, value: Value, used: Used) -> None:
    """Tell the callers that a key is drawn from which the function makes of a seed.

    Of the keys of a split those are told that are drawn from.
    """
    seed = seed_behind(value)
    is_split = isinstance(used.means, ByElement) or used.means == ByFunction(SPLIT)
    if seed is None or is_split or is_varied(frame, value):
        return
    if is_for_the_rest(frame.function, used, seed.made_by):
        return
    if all(made_here(frame, each) for each in ancestors(value)):
        note_constant(frame, seed, used)
        note_seeded(frame, seed, used)


def _is_met(frame: Frame, value: Value, one: Used, used: Used) -> bool:
    """Can one run make an earlier use and this one, other than together or as a copy on purpose?"""
    is_doubtful = used.use.is_possible and one.use.is_possible
    is_evident = value.kind in RANDOM_KEYS or not is_doubtful or _is_given_as_keys(used)
    return (
        type(one.means) is not Discarded and is_compatible(one, used.path) and not belong_together(one, used)
        and not _is_copy_on_purpose(frame, one, used.op) and is_evident
        and not (is_timed(frame, one) or is_timed(frame, used))
    )  # fmt: skip


def _is_given_as_keys(used: Used) -> bool:
    """Is a key given for a stream of flax, as in `apply(x, rngs={"dropout": key})`?"""
    keywords = used.op.keywords if type(used.op) is Call else ()
    return any(name == "rngs" and used.place in written_in(value) for name, value in keywords)


def _apart(frame: Frame, earlier: list[Used]) -> list[list[Used]]:
    """The earlier uses of which each is a separate mistake: those before the current loop, and those of its earlier
    iterations.

    What the loop uses twice in one iteration is told once.
    """
    again = [use for use in earlier if crosses_iterations(use, frame.iterations)]
    before = [use for use in earlier if use not in again]
    if not again or not before:
        return [earlier]
    turned = {loop for use in again for loop in loops_between(use, frame.iterations)}
    is_outside = all(turned.isdisjoint(dict(use.iterations)) for use in before)
    return [before, again] if is_outside else [earlier]


def _report_repetition(
    frame: Frame, value: Value, used: Used, repetition: Repetition, place: Op | None, inside: Inside, reuse: ReuseForm
) -> None:
    """Report a key that each turn or lane uses up, unless what is drawn is aligned on purpose."""
    draw = used.draw
    if draw is None or not is_read(draw):
        return
    if repetition.form == "leaf" and (is_aligned(draw) or is_augmentation(used)):
        return
    if repetition.form == "lane" and is_shuffle(draw):
        return
    if repetition.form == "lane" and (is_start_of_replicas(repetition.by, used) or parts_by_lane(draw)):
        return
    at, key = _shown(frame, value, used.op, place, inside)
    is_passed = repetition.form == "lane" and reuse != "captured" and draw.depth > 1 and not repetition.are_copies
    is_possible = used.use.is_possible and not is_for_training(draw)
    is_likely = is_possible or is_passed or may_be_common(draw, f"{used.use.by} {key}", frame.name)
    is_likely |= are_points_of_curve(frame, repetition.op, draw, reuse == "captured")
    report_repeated(frame, key, used, at, repetition, reuse == "captured", certain_if(not is_likely))


def _report_copies(frame: Frame, value: Value, used: Used, repetition: Repetition) -> None:
    """Report copies of one key for all lanes, unless replicas start from them."""
    if not is_start_of_replicas(repetition.by, used):
        report_copies(frame, value, used, repetition)


def _report_handed_back(frame: Frame, earlier: list[Used], used: Used) -> list[Used]:
    """Report the keys that callees used up and handed back; the other earlier uses."""
    for use in earlier:
        if use.kept is not None:
            certain, likely = _harmful(frame, [use], used)
            if certain or likely:
                report_handed_back(frame, use, used, certain_if(bool(certain)))
    return [use for use in earlier if use.kept is None]


def _harmful(frame: Frame, earlier: list[Used], used: Used) -> tuple[list[Used], list[Used]]:
    """The earlier uses whose results are read as well as those of this one: certainly, and perhaps on purpose."""
    if all(crosses_iterations(use, frame.iterations) for use in earlier):
        return _harmful_again(frame, earlier, used)
    certain: list[Used] = []
    likely: list[Used] = []
    is_point, lesson = _is_point(frame, earlier, used), shown_alike([*earlier, used])
    for one in sorted(earlier, key=lambda one: one.use.is_possible):
        is_doubtful = one.use.is_possible and used.use.is_possible
        if one.draw is None or used.draw is None or (is_doubtful and certain):
            continue
        found = readings(one.draw, used.draw)
        if found.are_both and not is_refused(frame.function, one, used):
            is_doubtful |= is_set_up(one, used) and is_demonstration(frame, used.op)
            is_doubtful |= are_held_together(frame.function, one.op, used.op)
            is_doubtful |= is_point and one.use.by == used.use.by and not _goes_round(frame, one, used)
            is_doubtful |= are_same_data(frame.function, one.op, used.op)
            is_doubtful |= one in lesson
            is_doubtful |= is_shown(one) or is_shown(used) or draws_figure(frame.name) or is_demonstrating(frame.name)
            is_doubtful |= is_compared(one, used) or are_inferences(one, used) or are_functions_tried(one, used)
            is_doubtful |= one.use.by == used.use.by and is_for_evaluation(one) and is_for_evaluation(used)
            is_doubtful |= (one.use.is_possible or used.use.is_possible) and is_evaluation(frame.name)
            is_doubtful |= fold_names_in(one, used) or is_derivative(used.op, frame.function.name)
            is_certain = not is_doubtful and (found.is_chained or not is_only_likely(one, used))
            is_certain = is_certain and not is_beside(one, used)
            (certain if is_certain else likely).append(one)
    return ([], []) if (certain or likely) and is_smoke_test(frame, used.op) else (certain, likely)


def _goes_round(frame: Frame, earlier: Used, used: Used) -> bool:
    """Is an earlier use one of another turn, and is more done with what comes of this one than to take its distance
    from something, or does the next turn go on with that?
    """
    if not crosses_iterations(earlier, frame.iterations) or used.draw is None:
        return False
    found = (readings_of_iterations(used.draw, loop) for loop in loops_between(earlier, frame.iterations))
    return not is_only_held(frame.function, used.op) or any(each.is_chained for each in found)


def _is_point(frame: Frame, earlier: list[Used], used: Used) -> bool:
    """Is the distance taken of what comes of a draw and of an earlier one, by one function at two points?"""
    return any(
        ((_hands_on(one) and _hands_on(used)) or _are_two_networks(one, used))
        and are_two_points(frame.function, one.op, used.op)
        for one in earlier
    )


def _hands_on(used: Used) -> bool:
    """Is a key handed to a function that draws from it, of the project or one that nobody knows?"""
    return used.use.is_possible or (used.draw is not None and bool(used.draw.inner))


def _are_two_networks(one: Used, other: Used) -> bool:
    """Do both use a key as a library applies a network, with other parameters each: a student's and a teacher's?"""
    calls = [used.op for used in (one, other) if type(used.op) is Call and used.op.args]
    drawn = [used.draw.by for used in (one, other) if used.draw is not None]
    if len(calls) != 2 or len(drawn) != 2 or any(by.startswith("jax.random.") for by in drawn):
        return False
    return names_in(calls[0].args[0]) != names_in(calls[1].args[0])


def _harmful_again(frame: Frame, earlier: list[Used], used: Used) -> tuple[list[Used], list[Used]]:
    """The uses of earlier iterations whose results are read as well as those of this one."""
    certain: list[Used] = []
    likely: list[Used] = []
    is_point = _is_point(frame, earlier, used)
    for use in earlier:
        if use.draw is None or used.draw is None or is_shown(use) or is_shown(used):
            continue  # a picture may well show the numbers with which another turn goes on
        if use.op is not used.op:
            found = [readings(use.draw, used.draw)]
        else:
            between = loops_between(use, used.iterations)
            loops = [loop for loop in between if not is_of_one_turn(frame.function, used.op, loop)]
            found = [readings_of_iterations(used.draw, loop) for loop in loops]
        is_met = any(each.are_both for each in found) and not is_refused(frame.function, use, used)
        if is_met and not is_beside(use, used):
            is_chained = any(each.is_chained for each in found) or feeds_itself(frame.function, used.op)
            is_likely = not is_chained and use.op is used.op and is_common(use, used)
            is_meant = may_be_common(used.draw, used.use.by, frame.name) or is_for_evaluation(used)
            is_likely |= are_inferences(use, used) or draws_figure(frame.name) or are_functions_tried(use, used)
            loops = loops_between(use, used.iterations)
            is_meant = is_meant and not is_same_again(frame.function, use, used, loops)
            is_likely |= used.use.is_possible or (is_meant and not lets_half_lie(frame.function, used.draw))
            is_likely |= begins_anew(frame, used.op, loops) or fills_table(frame, used.op, loops)
            is_likely |= use.op is used.op and is_item_tried(used, loops)
            is_likely |= use.op is used.op and is_of_views(frame.function, used, loops)
            is_likely |= use.op is used.op and start_apart(frame.function, used, loops)
            is_likely |= use.op is used.op and not is_chained and draws_curve(frame, used, loops)
            is_likely |= any(may_run_once(frame.function, used.op, loop) for loop in loops)
            is_likely |= is_point and use.use.by == used.use.by and not _goes_round(frame, use, used)
            (likely if is_likely else certain).append(use)
    return certain, likely


def _draw(frame: Frame, op: Op, at: Op | None, means: Means, hidden: HiddenDraws | None, has_effects: bool) -> DrawSite:
    by = means.name if isinstance(means, ByFunction) else SPLIT if isinstance(means, ByElement) else ""
    if hidden is None:
        return DrawSite(op, code_of(frame), by, place=at, has_effects=has_effects)
    draws = [draw for way in hidden.ways for draw in way.draws]
    inner = tuple(draw for draw in draws[:MAXIMUM_DRAWS] if draw.depth < MAXIMUM_DEPTH)
    depth = 1 + max((draw.depth for draw in inner), default=0)
    is_derivative = frame.context.is_derivative
    return DrawSite(op, code_of(frame), by, inner, hidden.arguments, hidden.is_method, depth, at, False, is_derivative)


def _is_copy_on_purpose(frame: Frame, earlier: Used, op: Op) -> bool:
    """Is it the same call again, for a network that starts as a copy?

    For example `target = init(key, x)` beside `params = init(key, x)`.
    """
    return frame.context.makes_copy and phrase(earlier.op, 200) == phrase(op, 200)


def _owner(frame: Frame, op: Op) -> str:
    """The text of the object whose method is called, which may have been given the key when it was made."""
    method = op.func if type(op) is Call else op  # a property is only read
    base = method.base if type(method) is Attr else None
    held = peek(frame, base) if base is not None else None
    return phrase(base) if base is not None and held is not None and held.kind is INSTANCE else ""


class _Told(NamedTuple):
    """What is said of a use that is one too many: the op that is shown, and the text of the key there.

    `copy`: the attribute and the copy of an object that keeps the key; `drawing`: the method that draws from it each
    time; `owner`: the object whose method it is.
    """

    at: Op
    key: str
    copy: tuple[str, Call] | None
    drawing: str
    owner: str


def _report(
    frame: Frame, value: Value, place: Op | None, inside: Inside,
    used: Used, earlier: list[Used], reuse: ReuseForm, certainty: Certainty,
) -> None:  # fmt: skip
    op = used.op
    at, key = _shown(frame, value, op, place, inside)
    copy = _copy_without(earlier[0], key) if at is op else None
    owner = _owner(frame, op) if at is op and _is_held_by_object(used) else ""
    drawing = frame.function.name if at is place and _is_left_as_set(frame, at, key) else ""
    if at is op and copy is None:
        drawing = _method_with_own_key(used, owner, key)
    told = _Told(at, key, copy, drawing, owner)
    if all(crosses_iterations(one, frame.iterations) for one in earlier):
        _report_repeated(frame, value, place, inside, used, earlier, told, certainty)
    else:
        _report_again(frame, value, place, inside, used, earlier, reuse, told, certainty)


def _report_again(
    frame: Frame, value: Value, place: Op | None, inside: Inside,
    used: Used, earlier: list[Used], reuse: ReuseForm, told: _Told, certainty: Certainty,
) -> None:  # fmt: skip
    """Report a use behind another one."""
    op, use, (at, key, copy, drawing, owner) = used.op, used.use, told
    counted = [one.use for one in earlier if not crosses_iterations(one, frame.iterations)]
    uses = tuple(dict.fromkeys(sorted(counted, key=lambda one: one.is_possible)))
    if any(one.op is op and not crosses_iterations(one, frame.iterations) for one in earlier):
        reuse = "call"
    half = unused_half(frame, value, max(len(uses) - 1, 0)) if at is place and reuse == "again" else ""
    half = half or (unused_child(frame, value, place) if at is place and reuse == "again" else "")
    are_many = not is_single(value, inside.root, op) or _are_of_turns(value, [used, *earlier], inside.below != "")

    def make() -> KeyConsumed:
        is_kept = reuse == "captured" or (at is op and key.isidentifier() and not mentions(op, key))
        is_here = bool(uses) and uses[0].path == at.anchor.origin.shown
        line = next((one.op.anchor.line for one in earlier if is_here and one.use == uses[0]), 0)
        several = not are_many and may_be_several(frame, value, key)
        instead = split_first(frame, are_many, line, several, key)
        if is_kept:
            instead = pass_in(use.by, owner, is_once=True, is_bound=_is_partial(frame, op))
        site = site_of(frame, at, key) if not is_kept and not are_many else None
        is_hidden_in = reuse == "captured" or (drawing != "" and at is op)
        direct = _direct_use(earlier, key) if is_hidden_in else None
        if direct is not None and can_bind(frame, key):
            site = site_of(frame, direct, key, goes_on=True)
        if copy is not None:
            instead, site = put_into_copy(frame, earlier[0].use.by, *copy), None
        elif drawing and direct is None:
            first = _method_that_leaves_it(earlier[0], used, owner, key)
            instead, site = _kept_by_object(frame, first or drawing, key, at is op), None
        elif drawing and not can_bind(frame, key):
            instead = f"{instead}, which `{drawing}` has to take"
        return KeyConsumed(at, key, use, uses, reuse, instead, Context(certainty=certainty), half, site)

    emit(frame, (KeyConsumed, at, certainty), make, facts_shared_by_all(one.path for one in earlier))


def _report_repeated(
    frame: Frame, value: Value, place: Op | None, inside: Inside,
    used: Used, earlier: list[Used], told: _Told, certainty: Certainty,
) -> None:  # fmt: skip
    """Report a use that each turn of a loop, or each element, repeats."""
    op, use, (at, key, copy, drawing, owner) = used.op, used.use, told
    (loop, *_) = loops_between(earlier[0], frame.iterations)
    if type(loop) is Loop and not any(one.op is op for one in earlier):
        report_carried(frame, value, earlier[0], used, certainty)
        return
    if used.means == ByFunction(SPLIT) and throws_away(loop, op):
        report_thrown_away(frame, value, used, loop, certainty)
        return
    repeat = loop_around(loop, frame.namespace.path)
    is_loop = repeat.form == "iteration"
    is_renewed = is_loop and (place is None or inside.below != "") and feeds_itself(frame.function, op)
    is_hidden = at is op and key != "" and not mentions(op, key)
    is_bound = _is_partial(frame, op)
    is_one = is_single(value, inside.root)
    if copy is not None:
        instead = put_into_copy(frame, use.by, *copy)
    elif drawing:
        instead = _kept_by_object(frame, drawing, key, at is op)
    elif is_renewed:
        instead = split_and_hand_back(frame, use.by) if place is not None else pass_in(use.by, owner)
    elif is_hidden:
        instead = pass_in(use.by, owner, is_bound=is_bound)
    elif is_loop:
        is_counted = type(loop) is not Loop or loop.kind == "for"
        instead = split_in_loop(frame, key, not is_one or type(value.payload) is Copies, is_counted)
    else:
        instead = one_each(frame, repeat.form, repeat.by.strip("`"))
    site = site_of(frame, at, key) if is_one and copy is None and not drawing else None
    shown = use.within if loop is op and use.within is not None else use
    make = partial(
        KeyRepeated, at, key, shown, repeat, instead, Context(certainty=certainty), site, is_renewed
    )  # fmt: skip
    emit(frame, (KeyRepeated, at, certainty), make)


def _is_partial(frame: Frame, op: Op) -> bool:
    """Does a call run a partial function, among whose arguments the key may be?"""
    called = peek(frame, op.func) if type(op) is Call and type(op.func) is Name else None
    return called is not None and type(called.payload) is Partial


def _are_of_turns(value: Value, uses: list[Used], is_inside: bool) -> bool:
    """Is it the key of each turn of a loop or comprehension through keys, and used in several of these?

    `is_inside`: it lies in what is handed on, to be gone through there.
    """
    payload = value.payload
    if type(payload) is not KeyPart or payload.whole.kind is not KEYS:
        return False
    loops = [position.loop for position in payload.positions if type(position) is Turn]
    around = [{loop for loop, _ in one.iterations} for one in uses]
    return bool(loops) and (is_inside or any(loop not in one for loop in loops if loop for one in around))


def _kept_by_object(frame: Frame, drawing: str, key: str, is_called: bool) -> str:
    """How a method that draws from a key of its object gets another one for each call.

    `is_called`: the method is called here; else it is the one that stands here.  What is stored in a trace does not
    last, so one that a decorator compiles is given a key.
    """
    owner = frame.live().names.get(key.rpartition(".")[0])
    method = lookup(owner.payload.owner, drawing) if owner and type(owner.payload) is InstanceOf else None
    is_plain = is_called and method is not None and isinstance(method.payload, (FunctionValue, Decorated))
    if is_plain and can_bind(frame, key):
        return split_and_store(frame, drawing)
    return hand_in(frame, drawing, key, is_called)


def _direct_use(earlier: list[Used], key: str) -> Op | None:
    """Where a function itself gives a key to what uses it, which another one captures, or an object holds."""
    place = earlier[0].place if len(earlier) == 1 else None
    return place if type(place) in (Name, Attr) and place is not None and phrase(place) == key else None


def _is_left_as_set(frame: Frame, place: Op, key: str) -> bool:
    """Is the key in an attribute of the object whose method this is, and left by all methods as it was set?"""
    method = frame.function
    if type(place) is not Attr or type(place.base) is not Name or frame.owner is None or not method.parameters:
        return False
    if place.base.name != method.parameters[0].name or method.name in CONSTRUCTORS or can_bind(frame, key):
        return False
    stored = any(place.name in stored_elsewhere(current) for current in ancestry(frame.owner))
    return not stored and not is_set_in_copies(place, (".", place.name))


def _method_with_own_key(used: Used, owner: str, key: str) -> str:
    """The method that takes in a call the key which its object keeps, to draw from it itself or by what it calls."""
    holder, _, attribute = key.rpartition(".")
    if not owner or holder != owner or used.draw is None:
        return ""
    taking = (one for one in used.draw.within() if type(one.place) is Attr and one.place.name == attribute)
    found = next((one for one in taking if one is not used.draw), None) or next(leaves(used.draw), None)
    return found.code.function.name if found is not None else ""


def _method_that_leaves_it(earlier: Used, used: Used, owner: str, key: str) -> str:
    """The method that draws from the key of its object and leaves it there, before one that stores another; "" if that
    is not so.
    """
    first, later = _method_with_own_key(earlier, owner, key), _method_with_own_key(used, owner, key)
    attribute = key.rpartition(".")[2]
    is_left = first != later and not _stores_itself(earlier, first, attribute)
    return first if first and is_left and _stores_itself(used, later, attribute) else ""


def _stores_itself(used: Used, method: str, attribute: str) -> bool:
    """Does a method that a call runs store into a field of its object?"""
    functions = [one.code.function for one in used.draw.within()] if used.draw is not None else []
    return any(
        attribute in (name for name, _ in stores_into(one.inner.ops, one.parameters[0].name))
        for one in functions
        if one.name == method and one.parameters
    )


def _is_held_by_object(used: Used) -> bool:
    """Do the draws below a call take the key from an object, and not from a name around their function?"""
    inner = [one.place for one in used.draw.within() if one is not used.draw] if used.draw is not None else []
    return any(type(place) is Attr for place in inner) or not any(type(place) is Name for place in inner)


def _copy_without(used: Used, key: str) -> tuple[str, Call] | None:
    """The attribute that holds a key, and the copy of its object that a method returns which has used it up there, if
    that leaves it as it was: `self.replace(params=params)`.
    """
    for one in used.draw.inner if used.draw is not None else ():
        _, is_dotted, attribute = key.rpartition(".")
        if not is_dotted and type(one.place) is Attr:
            attribute = one.place.name
        elif not is_dotted:
            continue
        for copy in _copies_returned(one.code.function):
            if {attribute, None}.isdisjoint(name for name, _ in copy.keywords):
                return attribute, copy
    return None


@searched_once
def _copies_returned(method: Function) -> tuple[Call, ...]:
    """The copies of its own object that a method returns."""
    receiver = method.parameters[0].name if method.parameters else ""
    returned = [one.value for one in statements_in(method.body) if type(one) is Leave and one.value is not None]
    calls = [inner for value in returned for inner in within(value) if type(inner) is Call]
    return tuple(
        call for call in calls
        if type(call.func) is Attr and call.func.name in COPYING
        and type(call.func.base) is Name and call.func.base.name == receiver
    )  # fmt: skip


def _shown(frame: Frame, value: Value, op: Op, place: Op | None, inside: Inside) -> tuple[Op, str]:
    """Where a use of a key is reported, and its text."""
    at = place if place is not None and not inside.below and is_argument(op, place) else op
    if place is None or type(place) is Star:
        return at, name_of(frame, value) or inside.name
    return at, f"{phrase(place)}{inside.below}"


def _tell_callers(frame: Frame, value: Value, used: Used, hidden: HiddenDraws | None) -> None:
    """Add sinks to the summary, one for each path, for a key that is an input or captured."""
    ways = [(used.path, used.draw)]
    if hidden is not None and len(hidden.ways) > 1:
        ways = [
            (assume(frame.path, way.when), _draw(frame, used.op, used.place, used.means, one, False))
            for way in hidden.ways
            for one in (replace(hidden, ways=(way,)),)
        ]
    is_itself = is_from_outside(frame, value)
    for target in [value] if is_itself else targets(value):
        source = target if isinstance(target, Input) else input_behind(target) or item_behind(frame, target)
        if source is not None or (isinstance(target, Value) and is_from_outside(frame, target)):
            for when, draw in ways:
                sink = Sink(used.op, source or target, used.use, draw, used.place)
                frame.summary.requires.effects.add(Effect(sink, when))
