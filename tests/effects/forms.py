"""The forms of effects and reads in traced code, and their innocents, by name."""

from __future__ import annotations

from tests.effects.grammar import EffectForm

READ = "acc = acc + {v} * jnp.sum({x})"


def _shown(line: str) -> EffectForm:
    return EffectForm("JAX301", f"!{line}")


def _meant(line: str) -> EffectForm:
    return EffectForm("JAX301", line, is_meant=True)


def _frozen(line: str) -> EffectForm:
    return EffectForm("JAX307", f"!{line}")


def _loud(line: str) -> EffectForm:
    return EffectForm("JAX307", f"!{line}")


def _stale(head: str, read: str, between: str) -> EffectForm:
    """A read of what the host changes before the second call."""
    return EffectForm("JAX302", "!" + READ.replace("{v}", read), f"!{head}", between)


def _written(line: str, head: str = "", after: str = "", around: str = "", peek: str = "None") -> EffectForm:
    return EffectForm("JAX303", line, head, after=after, around=around, peek=peek)


def _asked(code: str, value: str, head: str = "", between: str = "") -> EffectForm:
    """A value of the host that goes into the result."""
    return EffectForm(code, "!" + READ.replace("{v}", value), head, between)


SEEN, KEPT, BOX = "SEEN_{n} = []", "KEPT_{n} = {{}}", "BOX_{n} = Box(1.0)"

OUTPUT: dict[str, EffectForm] = {
    "print": _shown("print({x})"),
    "print with a label": _shown('print("value", {x}, sep="=")'),
    "print of an f-string": _shown('print(f"value {{{x}}}")'),
    "print of a percent text": _shown('print("value %s" % {x})'),
    "print of a format": _shown('print("value {{}}".format(jnp.mean({x})))'),
    "print of a sum of texts": _shown('print("value " + str(acc))'),
    "print of a dict": _shown('print({{"value": {x}}})'),
    "print of a comprehension": _shown("print([part * 2.0 for part in ({x}, {x})])"),
    "print of a local text": EffectForm("JAX301", 'text = f"value {{{x}}}"\n!print(text)'),
    "print to a stream": _shown('print("value", {x}, file=sys.stdout)'),
    "write to a stream": _shown('sys.stdout.write(f"{{{x}}}\\n")'),
    "pretty print": _shown("pprint.pprint({x})"),
    "print by an alias": EffectForm("JAX301", "!show_{n}({x})", "show_{n} = print"),
    "text": _shown('print("a step")'),
    "log": _shown('logger.info("value %s", {x})'),
    "log of an f-string": _shown('logger.warning(f"value {{{x}}}")'),
    "log of the module": _shown('logging.error("value %s", {x})'),
    "log by a level": _shown('logger.log(logging.INFO, "%s", {x})'),
    "log of an object": EffectForm("JAX301", '!TELLER_{n}.logger.debug("value %s", {x})', "TELLER_{n} = Teller()"),
    "warning": _shown('warnings.warn(f"value {{{x}}}")'),
    "print of a shape": _meant('print("shape", {x}.shape)'),
    "print of a dtype": _meant('print(f"{{{x}.dtype}} {{{x}.ndim}}")'),
    "log of a shape": _meant('logger.info("shape %s", {x}.shape)'),
    "text about the trace": _meant('print("tracing the step")'),
    "guarded print": EffectForm("JAX301", "if DEBUG_{n}:\n    print({x})", "DEBUG_{n} = False"),
    "print by a callback": EffectForm("JAX301", "jax.debug.callback(lambda v: print(v), {x})"),
    "log by a callback": EffectForm("JAX301", 'jax.debug.callback(logger.info, "value %s", {x})'),
    "own print": EffectForm("JAX301", "printed = Teller().print({x})\nacc = acc + jnp.sum(printed)"),
    "frozen text": _frozen('jax.debug.print(f"value {{{x}}}")'),
    "frozen percent": _frozen('jax.debug.print("value %s" % {x})'),
    "frozen format": _frozen('jax.debug.print("value {{}}".format({x}))'),
    "frozen sum": _frozen('jax.debug.print("value " + str(acc), ordered=True)'),
    "frozen local": EffectForm("JAX307", 'text = f"value {{acc}}"\n!jax.debug.print(text)'),
    "frozen for a callback": _frozen('jax.debug.callback(print, f"value {{{x}}}")'),
    "frozen by a helper": EffectForm(
        "JAX307", 'say_{n}(f"value {{{x}}}")', "def say_{n}(text):\n    !jax.debug.print(text)"
    ),
    "captured by a callback": _frozen("jax.debug.callback(lambda: print({x}))"),
    "argument without a field": _loud('jax.debug.print("value", {x})'),
    "percent for a field": _loud('jax.debug.print("value %s", {x})'),
    "field without an argument": _loud('jax.debug.print("{{}} {{}}", {x})'),
    "name for a place": _loud('jax.debug.print("{{value}}", {x})'),
    "value for the format": _loud("jax.debug.print({x})"),
    "debug print": EffectForm("JAX307", 'jax.debug.print("value {{}}", {x})'),
    "debug print of a shape": EffectForm("JAX307", 'jax.debug.print(f"{{{x}.shape}}: {{{{v}}}}", v={x})'),
    "debug print of attributes": EffectForm("JAX307", 'jax.debug.print("{{v.shape}} {{v[0]}}", v={x}, ordered=True)'),
}

WRITES: dict[str, EffectForm] = {
    "append": _written("!SEEN_{n}.append({x})", SEEN, "SEEN_{n}"),
    "append of a sum": _written("!SEEN_{n}.append(acc)", SEEN, "SEEN_{n}"),
    "append of a number": _written("!SEEN_{n}.append(1.0)", SEEN, "SEEN_{n}"),
    "extend": _written("!SEEN_{n}.extend([{x}, acc])", SEEN, "SEEN_{n}"),
    "insert": _written("!SEEN_{n}.insert(0, acc)", SEEN, "SEEN_{n}"),
    "sum of lists": _written("!SEEN_{n}[:] += [acc]", SEEN, "SEEN_{n}"),
    "append to a deque": _written("!SEEN_{n}.appendleft(acc)", "SEEN_{n} = collections.deque()", "SEEN_{n}"),
    "pop": EffectForm("JAX303", "!acc = acc + LEFT_{n}.pop()", "LEFT_{n} = [1.0, 2.0, 3.0, 4.0]", after="LEFT_{n}"),
    "item of a dict": _written('!KEPT_{n}["value"] = {x}', KEPT, "KEPT_{n}"),
    "update of a dict": _written("!KEPT_{n}.update(value=acc)", KEPT, "KEPT_{n}"),
    "setdefault": _written('!KEPT_{n}.setdefault("all", []).append(acc)', KEPT, "KEPT_{n}"),
    "count in a dict": _written('!KEPT_{n}["calls"] = KEPT_{n}.get("calls", 0) + 1', KEPT, "KEPT_{n}"),
    "item of a list": _written("!CELL_{n}[0] = acc", "CELL_{n} = [0.0]", "CELL_{n}"),
    "item of a host array": _written("!CELLS_{n}[0] += 1.0", "CELLS_{n} = np.zeros(2)", "CELLS_{n}"),
    "add to a set": _written("!NAMES_{n}.add(len(NAMES_{n}))", "NAMES_{n} = set()", "NAMES_{n}"),
    "global": _written("global TOTAL_{n}\n!TOTAL_{n} = acc", "TOTAL_{n} = 0.0", "TOTAL_{n}"),
    "count in a global": _written("global COUNT_{n}\n!COUNT_{n} += 1", "COUNT_{n} = 0", "COUNT_{n}"),
    "nonlocal": _written("nonlocal total\n!total = acc", around="total = 0.0", peek="total"),
    "count in a nonlocal": _written("nonlocal count\n!count += 1", around="count = 0", peek="count"),
    "append to a captured list": _written("!seen.append(acc)", around="seen = []", peek="seen"),
    "attribute": _written("!BOX_{n}.value = {x}", BOX, "BOX_{n}.value"),
    "count in an attribute": _written("!BOX_{n}.value += 1.0", BOX, "BOX_{n}.value"),
    "attribute of a class": _written("!Cell_{n}.last = acc", "class Cell_{n}:\n    last = 0.0", "Cell_{n}.last"),
    "setattr": _written('!setattr(BOX_{n}, "value", acc)', BOX, "BOX_{n}.value"),
    "stored by a method": EffectForm(
        "JAX303", "BOX_{n}.keep(acc)",
        "class Keeper_{n}:\n    def __init__(self):\n        self.last = 0.0\n\n    def keep(self, value):\n"
        "        !self.last = value\n\n\nBOX_{n} = Keeper_{n}()", after="BOX_{n}.last",
    ),
    "argument of a helper": EffectForm(
        "JAX303", "!note_{n}(SEEN_{n}, acc)",
        "SEEN_{n} = []\n\n\ndef note_{n}(target, value):\n    !target.append(value)", after="SEEN_{n}",
    ),
    "default argument": EffectForm(
        "JAX303", "note_{n}(acc)", "def note_{n}(value, seen=[]):\n    !seen.append(value)\n    return seen",
        after="note_{n}.__defaults__",
    ),
    "local list": _written("seen = []\nseen.append({x})\nacc = acc + jnp.sum(seen[0])"),
    "local dict": _written('kept = {{"value": {x}}}\nkept["sum"] = acc\nacc = acc + kept["sum"]'),
    "local object": _written("box = Box(0.0)\nbox.value = acc\nacc = acc + box.value"),
    "local array": _written("filled = jnp.zeros(3).at[0].set(acc)\nacc = acc + filled[0]"),
    "local closure": _written(
        "count = 0\n\n\ndef bump():\n    nonlocal count\n    count += 1\n    return count\n\n\nacc = acc + bump()"
    ),
    "pure update": _written("pair = PURE_{n}.update({x}, acc)\nacc = acc + pair[1]", "PURE_{n} = Pure()"),
    "copy of a dict": _written(
        'own = dict(KEPT_{n})\nown["value"] = acc\nacc = acc + own["value"]', "KEPT_{n} = {{'value': 1.0}}", "KEPT_{n}"
    ),
    "set and restored": _written(
        "before = BOX_{n}.value\nBOX_{n}.value = acc\nacc = acc + BOX_{n}.value\nBOX_{n}.value = before",
        BOX, "BOX_{n}.value",
    ),
    "append by a callback": _written("jax.debug.callback(SEEN_{n}.append, {x})", SEEN, "SEEN_{n}"),
}  # fmt: skip

READS: dict[str, EffectForm] = {
    "clock": _asked("JAX304", "time.time()"),
    "counter of the clock": _asked("JAX304", "time.perf_counter()"),
    "environment": _asked(
        "JAX304", 'float(os.environ["SITE_{n}"])', 'os.environ["SITE_{n}"] = "1.0"', 'os.environ["SITE_{n}"] = "2.0"'
    ),
    "getenv": _asked("JAX304", 'float(os.getenv("SITE_{n}", "1.0"))', "", 'os.environ["SITE_{n}"] = "2.0"'),
    "input": _asked("JAX304", "float(input())"),
    "file that is read": _asked(
        "JAX304", 'float(open("site_{n}.txt").read())', 'Path("site_{n}.txt").write_text("1.0")',
        'Path("site_{n}.txt").write_text("2.0")',
    ),
    "file that is written": EffectForm(
        "JAX304", '!with open("site_{n}.txt", "a") as file:\n    !file.write("a line\\n")',
        'Path("site_{n}.txt").write_text("")', after='Path("site_{n}.txt").read_text()',
    ),
    "path that is written": EffectForm(
        "JAX304", '!Path("site_{n}.txt").write_text(Path("site_{n}.txt").read_text() + "+")',
        'Path("site_{n}.txt").write_text("")', after='Path("site_{n}.txt").read_text()',
    ),
    "file by a callback": EffectForm(
        "JAX304", 'jax.debug.callback(lambda v: Path("site_{n}.txt").write_text(str(v.shape)), {x})',
        after='Path("site_{n}.txt").exists()',
    ),
    "environment of the module": EffectForm(
        "JAX304", READ.replace("{v}", "LEVEL_{n}"), 'LEVEL_{n} = float(os.environ.get("SITE_{n}", "1.0"))'
    ),
    "random": _asked("JAX305", "random.random()"),
    "random choice": _asked("JAX305", "random.choice([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])"),
    "random of NumPy": _asked("JAX305", "np.random.rand()"),
    "normal of NumPy": _asked("JAX305", "float(np.random.normal(size=3).sum())"),
    "generator of NumPy": _asked("JAX305", "RNG_{n}.normal()", "RNG_{n} = np.random.default_rng(7)"),
    "generator of Python": _asked("JAX305", "RNG_{n}.random()", "RNG_{n} = random.Random(7)"),
    "drawn before": EffectForm("JAX305", READ.replace("{v}", "DRAWN_{n}"), "DRAWN_{n} = random.Random(3).random()"),
    "drawn of a key": EffectForm("JAX305", "acc = acc + jax.random.normal(jax.random.key(0))"),
    "cached array": EffectForm(
        "JAX306", "!acc = acc + jnp.sum(table_{n}(3))",
        "!@functools.cache\n!def table_{n}(size):\n    !return jnp.arange(size) * 1.0", after="table_{n}(3)",
    ),
    "cached argument": EffectForm(
        "JAX306", "!acc = acc + total_{n}({x})",
        "!@functools.lru_cache(maxsize=None)\n!def total_{n}(values):\n    !return jnp.sum(values)",
    ),
    "memo": EffectForm(
        "JAX306", 'if "table" not in MEMO_{n}:\n    !MEMO_{n}["table"] = jnp.arange(3.0) * 2.0\n'
        '!acc = acc + jnp.sum(MEMO_{n}["table"])', "MEMO_{n} = {{}}", after='MEMO_{n}["table"]',
    ),
    "lazy attribute": EffectForm(
        "JAX306", "if LAZY_{n}.value is None:\n    !LAZY_{n}.value = jnp.ones(3) * 2.0\n"
        "!acc = acc + jnp.sum(LAZY_{n}.value)", "LAZY_{n} = Box(None)", after="LAZY_{n}.value",
    ),
    "cached property": EffectForm(
        "JAX306", "!acc = acc + jnp.sum(GRID_{n}.points)",
        "class Grid_{n}:\n    !@functools.cached_property\n    !def points(self):\n"
        "        !return jnp.ones(3) * 2.0\n\n\n"
        "GRID_{n} = Grid_{n}()", after="GRID_{n}.points",
    ),
    "cached number": EffectForm(
        "JAX306", "acc = acc + size_{n}({x}.shape[0])",
        "@functools.cache\ndef size_{n}(count):\n    return count * 2.0", after="size_{n}(3)",
    ),
    "next": _asked("JAX308", "next(TURNS_{n})", "TURNS_{n} = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])"),
    "next of a counter": _asked("JAX308", "next(TURNS_{n})", "TURNS_{n} = itertools.count(1)"),
    "next of a generator": _asked(
        "JAX308", "next(TURNS_{n})", "TURNS_{n} = (number * 1.0 for number in range(1, 99))"
    ),
    "loop over an iterator": EffectForm(
        "JAX308", "!for turn in TURNS_{n}:\n    acc = acc + turn\n    break",
        "TURNS_{n} = itertools.cycle([1.0, 2.0, 3.0])",
    ),
    "local iterator": EffectForm("JAX308", "turns = iter([1.0, 2.0])\nacc = acc + next(turns)"),
    "loop over a list": EffectForm("JAX308", "for turn in PARTS_{n}:\n    acc = acc + turn", "PARTS_{n} = [1.0, 2.0]"),
}  # fmt: skip

CAPTURES: dict[str, EffectForm] = {
    "global": _stale("SCALE_{n} = 1.0", "SCALE_{n}", "global SCALE_{n}\n!SCALE_{n} = 2.0"),
    "global array": _stale("W_{n} = jnp.ones(())", "W_{n}", "global W_{n}\n!W_{n} = W_{n} * 3.0"),
    "entry": _stale('CONFIG_{n} = {{"scale": 1.0}}', 'CONFIG_{n}["scale"]', '!CONFIG_{n}["scale"] = 2.0'),
    "entry by get": _stale('CONFIG_{n} = {{"scale": 1.0}}', 'CONFIG_{n}.get("scale")', "!CONFIG_{n}.update(scale=2.0)"),
    "attribute": _stale("BOX_{n} = Box(1.0)", "BOX_{n}.value", "!BOX_{n}.value = 2.0"),
    "attribute set by name": _stale("BOX_{n} = Box(1.0)", "BOX_{n}.value", '!setattr(BOX_{n}, "value", 2.0)'),
    "attribute of a class": _stale(
        "class Setting_{n}:\n    scale = 1.0", "Setting_{n}.scale", "!Setting_{n}.scale = 2.0"
    ),
    "object": _stale("BOX_{n} = Box(1.0)", "BOX_{n}.value", "global BOX_{n}\n!BOX_{n} = Box(2.0)"),
    "list": _stale("PARTS_{n} = [1.0]", "PARTS_{n}[0]", "!PARTS_{n}[0] = 2.0"),
    "length of a list": _stale("PARTS_{n} = [1.0]", "len(PARTS_{n})", "!PARTS_{n}.append(2.0)"),
    "host array": _stale("BUFFER_{n} = np.ones(3)", "float(BUFFER_{n}[0])", "!BUFFER_{n}[:] = 2.0"),
    "whole host array": EffectForm(
        "JAX302", "!acc = acc + jnp.sum(BUFFER_{n})", "!BUFFER_{n} = np.ones(3, np.float32)", "!BUFFER_{n}.fill(2.0)"
    ),
    "function": _stale(
        "def rule_{n}():\n    return 1.0", "rule_{n}()", "global rule_{n}\n!rule_{n} = lambda: 2.0"
    ),
    "read by a helper": EffectForm(
        "JAX302", "!acc = acc + scaled_{n}({x})",
        "!SCALE_{n} = 1.0\n\n\ndef scaled_{n}(values):\n    !return jnp.sum(values) * SCALE_{n}",
        "global SCALE_{n}\n!SCALE_{n} = 2.0",
    ),
    "written by a function": EffectForm(
        "JAX302", "!acc = acc + SCALE_{n} * jnp.sum({x})",
        "!SCALE_{n} = 1.0\n\n\ndef rescale_{n}():\n    global SCALE_{n}\n    !SCALE_{n} = 2.0", "!rescale_{n}()",
    ),
    "never written": EffectForm("JAX302", READ.replace("{v}", "SCALE_{n}"), "SCALE_{n} = 1.0"),
    "written before": EffectForm("JAX302", READ.replace("{v}", "SCALE_{n}"), "SCALE_{n} = 1.0\nSCALE_{n} = 2.0"),
    "entry never written": EffectForm("JAX302", READ.replace("{v}", 'C_{n}["a"]'), 'C_{n} = {{"a": 1.0}}'),
    "read on the host": EffectForm("JAX302", "acc = acc + 1.0", "SCALE_{n} = 1.0", "global SCALE_{n}\nSCALE_{n} = 2.0",
        after="SCALE_{n}"),
    "another is written": EffectForm(
        "JAX302", READ.replace("{v}", 'C_{n}["a"]'), 'C_{n} = {{"a": 1.0, "b": 1.0}}', 'C_{n}["b"] = 2.0'
    ),
}  # fmt: skip

FORMS: dict[str, EffectForm] = {
    **OUTPUT, **{f"write: {name}": form for name, form in WRITES.items()}, **READS,
    **{f"stale: {name}": form for name, form in CAPTURES.items()},
}  # fmt: skip
