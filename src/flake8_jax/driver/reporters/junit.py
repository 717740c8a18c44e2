"""Findings as tests that fail, in the XML of JUnit, which most services read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.diagnostic import Diagnostic

TOOL = "flake8-jax"

_NOT_XML = compiled("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(outcome: Outcome) -> str:
    """One suite for each file with findings; without any, a suite with one test that passes.

    The name of a test does not change when lines move.
    """
    named = list(zip(outcome.diagnostics, (fingerprint.function for fingerprint in outcome.fingerprints())))
    suites = [_suite(path, list(found), outcome) for path, found in groupby(named, lambda pair: pair[0].path)]
    if not suites:
        passed = f'    <testcase name="{TOOL}" classname="{TOOL}"/>'
        suites = [f'  <testsuite name="{TOOL}" {_counts([])}>\n{passed}\n  </testsuite>']
    head = f'<testsuites name="{TOOL}" {_counts(outcome.diagnostics)}>'
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _suite(path: str, named: Sequence[tuple[Diagnostic, str]], outcome: Outcome) -> str:
    counts = _counts([found for found, _ in named])
    cases = [_case(found, function, outcome) for found, function in named]
    return "\n".join([f"  <testsuite name={_quoted(path)} {counts}>", *cases, "  </testsuite>"])


def _counts(diagnostics: Sequence[Diagnostic]) -> str:
    errors = sum(found.code == UNJUDGED for found in diagnostics)
    return f'tests="{len(diagnostics) or 1}" failures="{len(diagnostics) - errors}" errors="{errors}"'


def _case(found: Diagnostic, function: str, outcome: Outcome) -> str:
    kind, path = "error" if found.code == UNJUDGED else "failure", _quoted(found.path)
    name = f"{found.code} {found.name}" + (f" in {function}" if function else "")
    place = f"classname={path} file={path} line={_quoted(str(outcome.lines_on_disk(found.path, found.span)[0]))}"
    rows = [f"{found.path}{outcome.at(found.path, found.span)}: {found.code} {found.message}"]
    rows += [f"{note.path}{outcome.at(note.path, note.line)}: {note.text}" for note in found.notes]
    text = escape(_possible("\n".join(rows)))
    return "\n".join(
        [
            f"    <testcase name={_quoted(name)} {place}>",
            f"      <{kind} type={_quoted(found.code)} message={_quoted(found.message)}>{text}</{kind}>",
            "    </testcase>",
        ]
    )


def _quoted(text: str) -> str:
    return quoteattr(_possible(text))


def _possible(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _NOT_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
