"""The canonical textual form of the IR, for tests and for people."""

from __future__ import annotations

from flake8_jax.ir.ops import (
    Attr,
    Body,
    Branch,
    Build,
    BuildDict,
    Call,
    Choose,
    Closure,
    Compare,
    Const,
    Delete,
    Function,
    Gather,
    Imported,
    Item,
    Leave,
    Logic,
    Loop,
    MakeClass,
    Matches,
    Module,
    Name,
    Op,
    Operate,
    Other,
    Parameter,
    Pattern,
    Star,
    Store,
    Suspend,
    Try,
    Unpack,
    With,
)
from flake8_jax.ir.phrase import phrase

__all__ = ["phrase", "show", "show_function", "show_op", "show_pattern"]

SIGNS = {"varargs": "*", "varkw": "**"}
BRACKETS = {"list": ("[", "]"), "set": ("{", "}"), "generator": ("(", ")"), "dict": ("{", "}"), "tuple": ("(", ")")}


def show(module: Module) -> str:
    """The text of a whole file: its top-level code, then every function, in order."""
    return "\n".join(show_function(function) for function in (module.top, *module.functions))


def show_function(function: Function) -> str:
    """One function: a head line, then its body, each op with its line."""
    head = f"{function.kind} {function.qualname}" if function.kind != "module" else "module"
    if function.kind in ("def", "lambda"):
        head += f"({_parameters(function.parameters)})"
    if function.returns is not None:
        head += f" -> {show_op(function.returns)}"
    traits = [name for name, has in (("async", function.is_async), ("generator", function.is_generator)) if has]
    traits += [f"{word} {' '.join(sorted(names))}" for word, names in _declared(function) if names]
    head += f"  [{', '.join(traits)}]" if traits else ""
    lines = [f"{head}:"]
    _show_body(function.body, 1, lines)
    return "\n".join(lines) + "\n"


def _declared(function: Function) -> list[tuple[str, frozenset[str]]]:
    return [("global", function.scope.globals), ("nonlocal", function.scope.nonlocals)]


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    texts: list[str] = []
    kinds = [parameter.kind for parameter in parameters]
    for at, parameter in enumerate(parameters):
        if parameter.kind == "keyword" and "keyword" not in kinds[:at] and "varargs" not in kinds:
            texts.append("*")
        text = SIGNS.get(parameter.kind, "") + parameter.name
        text += f": {show_op(parameter.annotation)}" if parameter.annotation is not None else ""
        texts.append(text + (f"={show_op(parameter.default)}" if parameter.default is not None else ""))
        if parameter.kind == "positional" and kinds[at + 1 : at + 2] != ["positional"]:
            texts.append("/")
    return ", ".join(texts)


def _show_body(body: Body, depth: int, lines: list[str]) -> None:
    if not body:
        lines.append(f"{'':4} {'  ' * depth}pass")
    for op in body:
        _show_statement(op, depth, lines)


def _line(op: Op, depth: int, text: str, lines: list[str]) -> None:
    lines.append(f"{op.anchor.line:4} {'  ' * depth}{text}")


def _show_statement(op: Op, depth: int, lines: list[str]) -> None:
    match op:
        case Branch():
            _line(op, depth, f"{op.kind} {show_op(op.test)}:", lines)
            _show_body(op.body, depth + 1, lines)
            _show_else(op, depth, lines)
        case Loop():
            word = "async for" if op.is_async else op.kind
            target = f"{show_op(op.target)} in " if op.target is not None else ""
            _line(op, depth, f"{word} {target}{show_op(op.source)}:", lines)
            _show_body(op.body, depth + 1, lines)
            _show_else(op, depth, lines)
        case With():
            target = f" as {show_op(op.target)}" if op.target is not None else ""
            _line(op, depth, f"{'async ' if op.is_async else ''}with {show_op(op.manager)}{target}:", lines)
            _show_body(op.body, depth + 1, lines)
        case Try():
            _show_try(op, depth, lines)
        case _:
            _line(op, depth, show_op(op), lines)


def _show_else(op: Branch | Loop | Try, depth: int, lines: list[str]) -> None:
    if op.orelse:
        lines.append(f"{'':4} {'  ' * depth}else:")
        _show_body(op.orelse, depth + 1, lines)


def _show_try(op: Try, depth: int, lines: list[str]) -> None:
    _line(op, depth, "try:", lines)
    _show_body(op.body, depth + 1, lines)
    for handler in op.handlers:
        catches = f" {show_op(handler.catches)}" if handler.catches is not None else ""
        name = f" as {handler.name.name}" if handler.name is not None else ""
        lines.append(f"{handler.anchor.line:4} {'  ' * depth}except{catches}{name}:")
        _show_body(handler.body, depth + 1, lines)
    _show_else(op, depth, lines)
    if op.final:
        lines.append(f"{'':4} {'  ' * depth}finally:")
        _show_body(op.final, depth + 1, lines)


def show_op(op: Op) -> str:
    """An op on one line, operators in full parentheses."""
    match op:
        case Const():
            return "..." if op.value is ... else repr(op.value)
        case Name():
            return op.name
        case Attr():
            base = show_op(op.base)
            return f"({base}).{op.name}" if base.isdigit() else f"{base}.{op.name}"
        case Item():
            return f"{show_op(op.base)}[{show_op(op.index)}]"
        case Call():
            return f"{show_op(op.func)}({_arguments(op.args, op.keywords)})"
        case Star():
            return f"*{show_op(op.value)}"
        case Build():
            return _show_build(op)
        case BuildDict():
            return "{" + _listed([_pair(key, value) for key, value in op.items]) + "}"
        case Closure():
            return f"<{op.function.qualname}>"
        case Unpack():
            return f"({_listed([show_op(part) for part in op.parts])})"
        case _:
            return _show_compound(op)


def _show_build(op: Build) -> str:
    inside = _listed([show_op(part) for part in op.parts])
    if op.kind in BRACKETS:
        comma = "," if op.kind == "tuple" and len(op.parts) == 1 else ""
        return f"{BRACKETS[op.kind][0]}{inside}{comma}{BRACKETS[op.kind][1]}"
    return f"{op.kind}({inside})"


def _show_compound(op: Op) -> str:
    match op:
        case Operate():
            sign = f"{op.operator}=" if op.in_place else op.operator
            if len(op.operands) == 1:
                return f"({sign}{' ' if sign == 'not' else ''}{show_op(op.operands[0])})"
            return f"({show_op(op.operands[0])} {sign} {show_op(op.operands[1])})"
        case Compare():
            pairs = zip(op.operators, op.operands[1:])
            return f"({show_op(op.operands[0])}{''.join(f' {sign} {show_op(right)}' for sign, right in pairs)})"
        case Logic():
            return "(" + f" {op.operator} ".join(show_op(operand) for operand in op.operands) + ")"
        case Choose():
            return f"({show_op(op.body)} if {show_op(op.test)} else {show_op(op.orelse)})"
        case Gather():
            return _show_gather(op)
        case Suspend():
            return f"({op.kind}{'' if op.value is None else ' ' + show_op(op.value)})"
        case Matches():
            return f"{show_op(op.subject)} matches {show_pattern(op.pattern)}"
        case _:
            return _show_effect(op)


def _show_effect(op: Op) -> str:
    match op:
        case Store():
            return _show_store(op)
        case Imported():
            return f"import {'.' * op.level}{op.qualified}"
        case MakeClass():
            return f"<{op.body.qualname}>({_arguments(op.bases, op.keywords)})"
        case Delete():
            return f"del {_listed([show_op(target) for target in op.targets])}"
        case Leave():
            value = f" {show_op(op.value)}" if op.value is not None else ""
            return op.kind + value + (f" from {show_op(op.cause)}" if op.cause is not None else "")
        case Other():
            return f"other({op.reason}: {_listed([show_op(part) for part in op.parts])})"
        case _:
            return type(op).__name__


def _show_store(op: Store) -> str:
    targets = " = ".join(show_op(target) for target in op.targets)
    if op.annotation is not None:
        targets += f": {show_op(op.annotation)}"
    if op.value is None:
        return targets
    if op.kind == "walrus":
        return f"({targets} := {show_op(op.value)})"
    word = f"{op.kind} " if op.kind in ("def", "class") else ""
    return f"{word}{targets} = {show_op(op.value)}"


def _show_gather(op: Gather) -> str:
    left, right = BRACKETS[op.kind]
    text = ": ".join(show_op(part) for part in op.element)
    for clause in op.clauses:
        word = "async for" if clause.is_async else "for"
        text += f" {word} {show_op(clause.target)} in {show_op(clause.source)}"
        text += "".join(f" if {show_op(test)}" for test in clause.tests)
    return left + text + right


def show_pattern(pattern: Pattern) -> str:
    """A match pattern on one line."""
    parts = [show_pattern(part) for part in pattern.parts]
    values = [show_op(value) for value in pattern.value]
    star = "*" if pattern.starred else ""
    name = pattern.capture.name if pattern.capture is not None else ""
    match pattern.kind:
        case "value" | "singleton":
            text = values[0]
        case "sequence":
            text = f"[{_listed(parts)}]"
        case "mapping":
            text = "{" + _listed([f"{key}: {part}" for key, part in zip(values, parts)]) + "}"
            return f"{text} rest {name}" if name else text
        case "class":
            words = [""] * (len(parts) - len(values) + 1) + [f"{value[1:-1]}=" for value in values[1:]]
            text = f"{values[0]}({_listed([word + part for word, part in zip(words, parts)])})"
        case "or":
            text = "(" + " | ".join(parts) + ")"
        case "capture":
            return star + name
        case "wildcard":
            return f"{star}_"
    return text + (f" as {name}" if name else "")


def _pair(key: Op | None, value: Op) -> str:
    return f"**{show_op(value)}" if key is None else f"{show_op(key)}: {show_op(value)}"


def _arguments(args: tuple[Op, ...], keywords: tuple[tuple[str | None, Op], ...]) -> str:
    texts = [show_op(arg) for arg in args]
    texts += [f"**{show_op(value)}" if name is None else f"{name}={show_op(value)}" for name, value in keywords]
    return _listed(texts)


def _listed(texts: list[str]) -> str:
    return ", ".join(texts)
