"""Findings in SARIF 2.1.0: rules with their pages, the chain of each finding as a code flow, fixes, fingerprints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from flake8_jax import __version__
from flake8_jax.driver import gave_up
from flake8_jax.driver.fingerprints import Fingerprint
from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.diagnostic import Diagnostic, Edit, Span
from flake8_jax.model.documents import Json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "flake8JaxFingerprint/v1"
ROOT = "%SRCROOT%"
_FENCE = compiled(r"^```python (?:bad|good)$", re.MULTILINE)
_DOES = compiled(r"^## What it does\n\n(.*?)\n\n", re.MULTILINE | re.DOTALL)


def render(outcome: Outcome) -> str:
    """The log, of one run."""
    codes = sorted({found.code for found in outcome.diagnostics})
    results = [
        _result(found, fingerprint, codes.index(found.code), outcome)
        for found, fingerprint in zip(outcome.diagnostics, outcome.fingerprints())
    ]
    run: dict[str, Json] = {
        "tool": {"driver": {"name": "flake8-jax", "version": __version__, "rules": list(_rules(codes, outcome))}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "the root of the repository"}}},
        "invocations": [_invocation(outcome)],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _invocation(outcome: Outcome) -> Json:
    unjudged = [found for found in outcome.diagnostics if found.code == UNJUDGED]
    notifications: list[Json] = [
        {
            "level": "error",
            "message": {"text": found.message},
            "locations": [{"physicalLocation": _place(found.path, outcome, found.span)}],
        }
        for found in unjudged
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notifications}


def _rules(codes: Iterable[str], outcome: Outcome) -> Iterable[Json]:
    from flake8_jax.rules import discover

    known = {each.rule.code: each for each in discover()}
    for code in codes:
        address = outcome.style.address(code)
        if code in known:
            yield _rule(code, known[code].rule.name, known[code].page, known[code].rule.group, address)
        else:
            yield _rule(gave_up.CODE, gave_up.NAME, gave_up.__doc__ or "", "analysis", address)


def _rule(code: str, name: str, page: str, group: str, address: str) -> Json:
    from flake8_jax.rules.precision import grade

    summary, does = page.partition("\n\n")[0], _DOES.search(page)
    card: dict[str, Json] = {
        "id": code,
        "name": name,
        "shortDescription": {"text": " ".join(summary.split())},
        "fullDescription": {"text": " ".join((does[1] if does is not None else summary).split())},
        "help": {"text": page.strip(), "markdown": _FENCE.sub("```python", page.strip())},
        "defaultConfiguration": {"level": "error" if code == UNJUDGED else "warning"},
        "properties": {"tags": ["jax", group], "precision": grade(code), "problem.severity": "warning"},
    }
    return {**card, "helpUri": address} if address else card


def _result(found: Diagnostic, fingerprint: Fingerprint, index: int, outcome: Outcome) -> Json:
    place = _place(found.path, outcome, found.span)
    result: dict[str, Json] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": "error" if found.code == UNJUDGED else "warning",
        "message": {"text": found.message},
        "locations": [{"physicalLocation": place, **_logical(found, fingerprint, outcome)}],
        "partialFingerprints": {FINGERPRINT: fingerprint.digest},
    }
    steps: list[Mapping[str, Json]] = [
        {
            "physicalLocation": _place(outcome.sources.path_of(note, found), outcome, note.line),
            "message": {"text": note.text},
        }
        for note in found.notes
    ]
    if steps:
        result["relatedLocations"] = [{"id": number, **step} for number, step in enumerate(steps, start=1)]
        flow: list[Json] = [{"location": step} for step in steps]
        flow.append({"location": {"physicalLocation": place, "message": {"text": found.message}}})
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    cell, span = outcome.sources.span(found.path, found.span)
    if cell is not None:
        result["properties"] = {"cell": cell, "line": span.line, "column": span.column + 1}
    edits = outcome.sources.edits_on_disk(found.path, found.fix.edits) if found.fix is not None else []
    if found.fix is not None and edits:
        result["fixes"] = [_fix(found.path, found.fix.title, edits, outcome)]
    return result


def _logical(found: Diagnostic, fingerprint: Fingerprint, outcome: Outcome) -> dict[str, Json]:
    """The function around a finding, and in a notebook the cell."""
    cell, span = outcome.sources.span(found.path, found.span)
    function, places = fingerprint.function, list[Json]()
    if function:
        places.append({"fullyQualifiedName": function, "kind": "function"})
    if cell is not None:
        places.append({"fullyQualifiedName": f"cell {cell}:{span.line}:{span.column + 1}", "kind": "cell"})
    return {"logicalLocations": places} if places else {}


def _artifact(path: str, outcome: Outcome) -> Json:
    uri = outcome.places.uri(path)
    return {"uri": uri, "uriBaseId": ROOT} if outcome.places.is_inside(path) else {"uri": uri}


def _place(path: str, outcome: Outcome, where: Span | int) -> Json:
    if isinstance(where, int):
        region = {"startLine": outcome.sources.line_on_disk(path, where)}
    elif outcome.sources.span(path, where)[0] is not None:  # columns in a string of JSON are others
        first, last = outcome.lines_on_disk(path, where)
        region = {"startLine": first, "endLine": last}
    else:
        region = _region(where)
    return {"artifactLocation": _artifact(path, outcome), "region": region}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }


def _fix(path: str, title: str, edits: Iterable[Edit], outcome: Outcome) -> Json:
    replacements: list[Json] = [
        {"deletedRegion": _region(each.span), "insertedContent": {"text": each.text}} for each in edits
    ]
    return {
        "description": {"text": title},
        "artifactChanges": [{"artifactLocation": _artifact(path, outcome), "replacements": replacements}],
    }
