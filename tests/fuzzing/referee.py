"""JAX as referee: runs programs of the grammar for real, and compares the keys that the ledger saw with the shadow's.

Compared are, for each path, how many distinct keys each line draws from, and which lines draw from one key.  A lane's
share of a key that is not mapped is one draw to the ledger, so that multiplicity is not compared.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from tests.fuzzing.grammar import program
from tests.fuzzing.running import program as entry
from tests.fuzzing.running import runs
from tests.fuzzing.surface import Invalid, parsed
from tests.fuzzing.terms import Run
from tests.fuzzing.writing import MAIN, Program

UNFIT = re.compile(r"\.clone\(|equinox|linen|nnx|hash\(")
"""A clone has the bytes of its original, and a library draws as it likes."""

HEAD = re.compile(r"^def program\(([^)]*)\)", re.MULTILINE)
Picture: TypeAlias = tuple[dict[int, int], set[frozenset[int]]]


def differences(seeds: Iterable[int]) -> Iterator[str]:
    """What the referee says of each program, and for how many paths it agrees; lines begin with "differs" if not."""
    agreed = skipped = 0
    for seed in seeds:
        made = program(seed)
        head = HEAD.search(made.text())
        if len(made.files) > 1 or head is None or UNFIT.search(made.text()):
            skipped += 1
            continue
        try:
            paths = list(runs(parsed({MAIN: made.text()}).codes, entry))
        except Invalid:
            skipped += 1
            continue
        for path in paths:
            if path.is_refused:
                continue
            ours, real = _shadowed(path), _run(made, head[1], path)
            agreed += ours == real
            if ours != real:
                yield f"differs: seed {seed}, {path.named}: the shadow says {ours}, JAX {real}"
    yield f"the referee agrees on {agreed} paths; {skipped} programs are none that it can run"


def _shadowed(path: Run) -> Picture:
    return _picture((use.key.term, use.chain[-1][1]) for use in path.uses)


def _picture(draws: Iterable[tuple[Hashable, int | None]]) -> Picture:
    by_key: dict[Hashable, set[int]] = {}
    for key, line in draws:
        if line is not None:
            by_key.setdefault(key, set()).add(line)
    counts: dict[int, int] = {}
    for lines in by_key.values():
        for line in lines:
            counts[line] = counts.get(line, 0) + 1
    return counts, {frozenset(lines) for lines in by_key.values() if len(lines) > 1}


def _run(made: Program, parameters: str, path: Run) -> Picture:
    """Run one path of a program with JAX under the ledger of the project."""
    from flake8_jax.runtime import claims, loading, recorders
    from flake8_jax.runtime.trial import Trial
    from flake8_jax.runtime.watching.ledger import CLONE, KeyLedger

    given = [_argument(name, path) for name in parameters.split(", ") if name]
    text = f"{made.text()}\n\ndef case():\n    return program({', '.join(given)})\n"
    fixture = claims.parse(Path(f"/fuzzing/{made.seed}.py"), text)
    case = fixture.case("case")
    assert case is not None
    loading.import_libraries(fixture, case)
    recorders.install()
    trial = Trial(fixture, replace(case, claims=()))
    ledger = KeyLedger(trial.path)
    with trial.run(ledger) as run:
        assert run.error is None, f"seed {made.seed}: {run.error!r}"
        return _picture((draw.key, draw.line) for draw in ledger.draws() if draw.operation != CLONE)


def _argument(name: str, path: Run) -> str:
    return str(path.named.get(name, False)) if name in ("a", "b", "c") else "jax.random.key(987654321)"
