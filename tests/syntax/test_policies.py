"""Names of the checked code are read in one place, `syntax/policies.py`, and each reading says what asked for it."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

from flake8_jax.syntax import policies
from tests.support.sources import MODULES, PACKAGE, ROOT, parsed

TABLE = {
    name
    for name, value in vars(policies).items()
    if name.isupper() and (hasattr(value, "fullmatch") or isinstance(value, (dict, frozenset)))
}
ASKED_BY: dict[str, tuple[str, str, str]] = {
    "KEY_NAME": (
        "keys handed to unknown code before their certain use",
        "fixtures/programs/key_given_to_unknown_code/bad/play/episodes.py", "",
    ),
    "OTHER_KEY_NAME": (
        "a client of a message queue that publishes by its `routing_key` (axlearn), in a file without JAX",
        "tests/rules/test_silences.py", "keys of queues and services",
    ),
    "RANDOM_WORDS": (
        "keys of a table of light curves that NumPy shuffles (nmma), an expression that finds a key (sglang-jax)",
        "tests/rules/test_silences.py", "keys of a file that has none of JAX",
    ),
    "SPEAKS_OF_KEYS": (
        "keys of a table of light curves that NumPy shuffles (nmma), an expression that finds a key (sglang-jax)",
        "tests/rules/test_silences.py", "keys of a file that has none of JAX",
    ),
    "DISPATCHING_NAME": (
        "`plum.dispatch`, which has another function for arrays of JAX (wcosmo)",
        "tests/rules/test_silences.py", "one of several functions by the types of arguments",
    ),
    "DISTANCE_NAME": (
        "consistency models, whose student and teacher share the dropout (stabilizing_consistency)",
        "tests/rules/test_silences.py", "two results that one loss compares",
    ),
    "EXCHANGED_MODULES": (
        "`xp`, which `set_backend` makes `jax.numpy` in modules that another one lists (gwpopulation)",
        "tests/rules/test_silences.py", "a library of arrays that is exchanged",
    ),
    "SETTER_NAME": (
        "`set_params` of problems that a solver differentiates (jax-fem, DMFF)",
        "tests/rules/test_silences.py", "what a setter hands in",
    ),
    "LOCK_NAME": (
        "counters of a cache of compiled functions (brainstate), threads that are intercepted (qwix)",
        "tests/rules/test_silences.py", "what a lock guards",
    ),
    "STARTING_KEY": (
        "a key that is kept as it was, so that a run can begin alike again",
        "tests/rules/test_silences.py", "a key that is kept to begin alike",
    ),
    "EVALUATION_NAME": (
        "one key for the evaluation after each epoch, harmless in jax_rl_util and goal-jax",
        "tests/rules/test_constant_keys.py", "an evaluation",
    ),
    "EVALUATING_FUNCTION": (
        "the same findings, where the loop stands inside the function that evaluates; pictures in vdvae-jax, harmless",
        "tests/rules/test_silences.py", "samples side by side in a picture",
    ),
    "FIGURE_FUNCTION": (
        "a demonstration beside a training run in jax_mppi, harmless",
        "tests/rules/test_conventions.py", "samples for a figure",
    ),
    "DEMONSTRATING_FUNCTION": (
        "weights of a demonstration of sharding in GPT15B_JAX_INFERENCE, ten findings, harmless",
        "tests/rules/test_silences.py", "a function that demonstrates something",
    ),
    "COMPILING_NAME": (
        "solvers under `jax_dataclasses.jit` in pyroki and egoallo, said to be compiled on each turn",
        "tests/rules/test_silences.py", "decorators that may compile",
    ),
    "AUGMENTATION_NAME": (
        "eighteen rows of the corpus judged harmless at once",
        "fixtures/liveness/pairs.py", "one_crop_of_two_views_ok",
    ),
    "INVERSE_MARK": (
        "random rotations and their inverses",
        "fixtures/liveness/pairs.py", "one_undoes_the_other_ok",
    ),
    "INITIAL_NAME": (
        "parameters of replicas in xlstm-jax, harmless",
        "tests/rules/test_silences.py", "replicas on devices that start alike",
    ),
    "INITIALIZER_NAME": (
        "example inputs drawn from the key that initialises",
        "fixtures/liveness/results.py", "",
    ),
    "LOSS_NAME": (
        "common random numbers in deqn-jax and mjx_fitted_iteration, harmless",
        "tests/rules/test_silences.py", "one loss, for its value and its gradient",
    ),
    "LIBRARY_NAMES": (
        "advice that names JAX in code that serves NumPy as well, as in cola",
        "tests/rules/test_messages.py", "test_code_for_several_libraries",
    ),
    "POPULATION_NAME": (
        "evolution strategies that map over parameters with one key",
        "fixtures/liveness/pairs.py", "candidates_on_the_same_numbers_ok",
    ),
    "DATA_MAKER": (
        "makers of data with a constant seed, as in numpyro-doing-bayesian",
        "tests/rules/test_constant_keys.py", "data",
    ),
    "PLACEHOLDER_NAME": (
        "dummy rollouts for buffers in jaxrl-learning, harmless",
        "tests/rules/test_silences.py", "an example for a buffer",
    ),
    "RESTORING_FUNCTION": (
        "the first sight of 28 projects",
        "tests/rules/test_silences.py", "a skeleton that is filled from a file",
    ),
    "RECORDER_NAME": (
        "states with a key in them that are logged or saved, first seen as possible uses (commit 6c20b605)",
        "tests/rules/test_silences.py", "a recorder writes a key down",
    ),
    "EPSILON": (
        "a root of a sum of squares that `jnp.maximum(eps, ...)` keeps off from 0 (JAX701)",
        "tests/rules/test_silences.py", "a root of what a bound keeps off from 0",
    ),
    "MEASURE_NAME": (
        "metrics of evolution strategies",
        "tests/rules/test_conventions.py", "a function that measures",
    ),
    "ALWAYS_DRAWING_NAME": (
        "the hazard that the policy for networks without dropout would have hidden",
        "tests/rules/test_conventions.py", "parameters are drawn without dropout, too",
    ),
    "NETWORK_NAME": (
        "networks without dropout that are given one key many times in jax-baseline, false",
        "tests/rules/test_silences.py", "networks that are given one key",
    ),
    "PARAMETERS_NAME": (
        "networks without dropout that are given one key many times in jax-baseline, false",
        "tests/rules/test_silences.py", "networks that are given one key",
    ),
    "PREPARING_METHOD": (
        "keys kept by objects, of which a constructor's helper takes the first (JAX103, commit ad7223f2)",
        "tests/rules/test_silences.py", "a method that sets an object up draws from its key",
    ),
    "WHOLE_RUN_METHOD": (
        "fit with the key of its constructor, harmless (JAX103, commit ad7223f2)",
        "", "",
    ),
    "COPIES_SELF": (
        "states that are replaced whole (JAX103, commit ad7223f2)",
        "", "",
    ),
    "STAGED_STEPS": (
        "schedules that branch on the count, missed",
        "fixtures/jax401_branch_on_traced/bad.py", "_warm",
    ),
    "TIMING_FILE": (
        "the first sight of 28 projects (commit 33bc14d3)",
        "", "",
    ),
    "TEXT_ABOUT_TRACES": (
        "messages about compilation, harmless",
        "fixtures/jax301_print_in_traced/good.py", "_tells_of_its_trace",
    ),
    "COUNTS_TRACES": (
        "counters of traces in tests",
        "fixtures/jax303_outer_write_in_traced/good.py", "_traces_counted",
    ),
    "TIME_OF_STARTING": (
        "benchmarks that tell the first call from the others",
        "fixtures/jax702_timing_without_block/good.py", "time_of_compiling",
    ),
    "SAYS_COMPILING": (
        "scripts that print that they compile above the first reading (first-look-53, quadruped_comparison_single.py)",
        "tests/rules/test_silences.py", "said_above",
    ),
    "WORDS_ALONE": (
        "the same, and not lines that show an earlier time (test_silences.py, the time that it takes to jit)",
        "tests/rules/test_silences.py", "said_above",
    ),
    "ASKS_FOR_TYPE": (
        "casts for one of several types",
        "fixtures/jax206_float64_truncated/good.py", "chosen_by_the_type",
    ),
    "OPTION_FOR_WIDTH": (
        "the rows of JAX206 in packages with a switch of their own (commit f4243a17)",
        "", "",
    ),
    "EXPECTS_WARNING": (
        "tests of that warning",
        "fixtures/jax206_float64_truncated/good.py", "warned_of",
    ),
    "VERSION_NAME": (
        "code for several releases",
        "fixtures/jax801_removed_api/good.py", "asked_for_the_version",
    ),
    "RESULT_PART_NAMES": (
        "results unpacked in another order than they are made",
        "fixtures/jax609_result_misunpacked/bad.py", "",
    ),
    "FIGURE_NAME": (
        "pictures of a network in training, beside what the run goes on with (jax-gans)",
        "tests/rules/test_silences.py", "pictures of a network in training",
    ),
    "SHOWING_METHOD": (
        "pictures of a network in training, beside what the run goes on with (jax-gans)",
        "tests/rules/test_silences.py", "pictures of a network in training",
    ),
}  # fmt: skip
"""The finding that asked for each policy; the file of its test, if it has one, and what it is called there."""

OF_SYNTAX = {
    "analysis/checks/advice/control_flow", "analysis/checks/advice/printing", "analysis/checks/compilation/constants",
    "analysis/checks/compilation/declared_arguments", "analysis/checks/derivatives/custom_rules",
    "analysis/checks/derivatives/terms", "analysis/checks/effects/fields", "analysis/checks/effects/undone",
    "analysis/checks/formatting", "analysis/checks/keys/repetition", "analysis/checks/keys/smoke_tests",
    "analysis/checks/naming", "analysis/checks/releases/events", "analysis/checks/releases/guards",
    "analysis/checks/advice/methods", "analysis/checks/instead", "analysis/checks/keys/remedies",
    "analysis/checks/widths",
    "analysis/modules/attributes", "analysis/modules/eager_layers", "analysis/modules/registrations",
}  # fmt: skip
"""The modules of the analysis with patterns over syntax, dtypes, or names of libraries."""


def sentences() -> dict[str, str]:
    """What stands below each policy."""
    body = parsed("syntax/policies").body
    return {
        ast.unparse(one.targets[0] if isinstance(one, ast.Assign) else one.target): ast.literal_eval(after.value)
        for one, after in pairwise(body)
        if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr)
    }


def test_each_policy_says_what_it_means_and_what_asked_for_it() -> None:
    said = sentences()
    assert set(said) == TABLE == set(ASKED_BY)
    assert [name for name, text in said.items() if not re.match(r"[A-Z].+\.$", text, re.DOTALL)] == []
    for finding, file, case in ASKED_BY.values():
        assert finding
        assert not file or case in (ROOT / file).read_text(encoding="utf-8"), f"{file} has no {case}"


def test_no_other_module_of_the_analysis_reads_names() -> None:
    texts = {module: (PACKAGE / f"{module}.py").read_text(encoding="utf-8") for module in MODULES}
    made = {
        module
        for module, text in texts.items()
        if re.search(r"^\S+ = (?:re\.compile|compiled\()|^    re\.compile", text, re.MULTILINE)
    }
    assert {module for module in made if Path(module).parts[0] == "analysis"} <= OF_SYNTAX
