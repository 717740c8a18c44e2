"""Is the code understood by somebody who does not know the project?  Twenty functions, and what a reader says of each.

    python -m tests.project.readers draw [COMMIT]     the functions that the hash of a commit draws, as questions
    python -m tests.project.readers show [COMMIT] N   the file of the Nth of them, at that commit

A draw depends on the commit alone: all functions of `src/` with at least three statements are ordered by the SHA-256
of the commit's hash and their name.  A reader who has never seen the project gets a question and the one file that it
is about, nothing else, and says in one to three sentences what the function does: what it takes, gives and changes.
Somebody who knows the code then compares the answer with what the function does.  An answer is right if somebody who
changes the code by it alone does nothing wrong.  `readers.json` keeps commit, questions, answers and judgements.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.sources import ROOT

COUNT = 20
NEEDED = 18
LEAST_STATEMENTS = 3
ANSWERS = Path(__file__).with_name("readers.json")


def git(*arguments: str) -> str:
    """What git says in this repository."""
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def sources(commit: str) -> Iterator[tuple[str, str]]:
    """The modules below `src/` at a commit, each with its text."""
    names = git("ls-tree", "-r", "--name-only", commit, "src").splitlines()
    modules = [name for name in names if name.endswith(".py")]
    request = "".join(f"{commit}:{name}\n" for name in modules)
    batch = ["git", "-C", str(ROOT), "cat-file", "--batch"]
    data = subprocess.run(batch, input=request.encode(), check=True, capture_output=True).stdout
    for name in modules:
        head, _, data = data.partition(b"\n")
        size = int(head.rsplit(b" ", 1)[1])
        yield name, data[:size].decode()
        data = data[size + 1 :]


def functions_of(tree: ast.AST, above: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module, with dotted names, those inside of classes and functions included."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{above}{node.name}"
            if isinstance(node, ast.FunctionDef):
                yield name, node
            yield from functions_of(node, f"{name}.")


def is_worth_a_question(function: ast.FunctionDef) -> bool:
    """Has a function enough statements, beside its docstring, for an answer to say something?"""
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(function)) - 1
    return statements - (ast.get_docstring(function) is not None) >= LEAST_STATEMENTS


def drawn(commit: str) -> list[tuple[str, str, int]]:
    """The functions that a commit draws: path, dotted name, line."""
    whole = git("rev-parse", commit).strip()
    found = [
        (hashlib.sha256(f"{whole} {path} {name}".encode()).hexdigest(), path, name, node.lineno)
        for path, text in sources(whole)
        for name, node in functions_of(ast.parse(text))
        if is_worth_a_question(node)
    ]
    return [(path, name, line) for _, path, name, line in sorted(found)[:COUNT]]


def main() -> None:
    """Print a draw, or the file of one of its functions."""
    verb, commit, *rest = [*sys.argv[1:], "HEAD"]
    functions = drawn(commit)
    if verb == "draw":
        print(json.dumps({"commit": git("rev-parse", commit).strip()}))
        for number, (path, name, line) in enumerate(functions, 1):
            print(f"{number:2}. {path}:{line}  What does `{name}` do?")
    else:
        print(git("show", f"{commit}:{functions[int(rest[0]) - 1][0]}"))


if __name__ == "__main__":
    main()
