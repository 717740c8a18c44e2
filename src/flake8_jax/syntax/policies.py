"""What the analysis takes the names and words of the checked code to mean: every pattern that looks at them.

A program is judged by what it does; a name is asked only where what it does cannot say what its author wants.  Drawing
the same numbers twice is a mistake in training and wanted in an evaluation.  Each policy says how a name is read
and why; the findings on real code that asked for it stand in `tests/syntax/test_policies.py`.
Renaming undoes a policy, so that none may decide whether a program is wrong, only whether what it does is meant.

What is not here: names of libraries (`api/`), lists of methods with a known meaning beside the code that follows them,
and patterns over syntax.
"""

from __future__ import annotations

import re

from flake8_jax.lazy_patterns import compiled

# Random keys.

KEY_NAME = compiled(r"(^|_)(sub_?)?(p?rng|key|prng_?key|PRNGKey|rng_?key|seed)s?(_?\w)?$")
"""A parameter or variable that holds a random key.  Only a certain use proves it: the name decides whether a call of
unknown code, beside such a use, is a possible second one."""

OTHER_KEY_NAME = compiled(
    r"(?i)(^|_)(access|api|cache|config|dict|encryption|env|foreign|hash|json|lookup|metric|partition|primary|private|public"
    r"|routing|secret|session|signing|sort|ssh|storage)_?keys?$"
)
"""A key of another kind: of a queue, a cache or a service.  A call of unknown code with one draws nothing."""

RANDOM_WORDS = frozenset((
    "random", "rngs", "rng", "PRNGKey", "PRNGKeyArray", "PRNGSequence", "KeyArray", "Rngs", "make_rng", "next_rng_key",
))  # fmt: skip
"""Words of which one stands in a statement that speaks of keys of JAX."""

SPEAKS_OF_KEYS = compiled(
    r"jax\.random|PRNG|KeyArray|from jax import[^\n]*\brandom\b|\b[rR]ngs\b|\brng\s*=\s*\{|_rng_key|make_rng"
)
"""What a file says that works with keys of JAX.  In others, what is called a key or a seed is one of another library
until it proves to be one: `rng.shuffle(keys)`, `train_test_split(x, random_state=seed)` (nmma, sglang-jax).
"""

EVALUATION_NAME = compiled(r"(?i)(^|[^a-z])(eval|valid|test|bench|profile|plot|timed(?![a-z])|timeit)")
"""What is measured on the same numbers each time, so that results can be compared; anywhere in a name."""

EVALUATING_FUNCTION = compiled(
    r"_*(eval|valid|test|bench|profile|plot|visuali[sz]e|(write|save|dump|log)_(image|img|sample|picture|fig|video|gif|grid))"
)
"""The same of the function around a use, at the start of its name only: `train_and_test` does more than evaluate.  One
that writes pictures shows the same samples side by side."""

FIGURE_FUNCTION = compiled(
    r"_*(plot|visuali[sz]e|animate|render|show|monitor)(_|$)"
    r"|_*(write|save|dump|log|make|draw)_(\w+_)?(images?|imgs?|pictures?|fig(ure)?s?|videos?|gifs?|plots?)(_|$)"
)
"""A function that draws curves and pictures, or watches a run, for which samples of one key are as good as others."""

FIGURE_NAME = compiled(r"(^|_)(axs?|axes|fig(ure)?|plt|canvas|plotter)[0-9]*$")
"""What is drawn on."""

SHOWING_METHOD = compiled(
    r"(critical|debug|display|error|exception|info|log|pprint|pp|print|warning|mimsave|mimwrite|imwrite|imsave|imshow)$"
    r"|(add|log|write)_(scalar|image|video|figure|text|histogram|metric|plot)s?(_|$)"
)
"""A method that only shows what it is given."""

DEMONSTRATING_FUNCTION = compiled(r"_*(demo|demonstrat(e|es|ion)|showcase)(_|$)|\w+_(demo|demonstration|showcase)$")
"""A function that demonstrates something on numbers of any kind: on which, nobody asks."""

AUGMENTATION_NAME = compiled(r"(?i)(^|_|random)(augment\w*|crop|cutout|flip|mirror|translate|rotate|shift)(_|$|s$)")
"""A function that transforms the views of one example alike: an image and its mask are cropped with one key."""

INVERSE_MARK = compiled(r"(?i)(^|_)(inverse|inv|invert|undo|de|un)_?")
"""How a function is marked that undoes another: it must draw what that one drew."""

INITIAL_NAME = compiled(r"(^|[._])init(ial\w*)?(_|$|\))")
"""A function that sets something up: replicas on devices have to start alike, a network set up twice is seldom trained
twice."""

INITIALIZER_NAME = compiled(r"(^|_)init(_fn|_fun)?$")
"""A function taken from what sets up modules (`init_fn = hk.transform(f).init`): of data it uses the shape."""

STARTING_KEY = compiled(r"(^|_)(init|initial|original|reset|restart|start)_*(prng_*)?(rng_*)?(keys?|rngs?|prng)$")
"""What holds the key that something began with, so that it can begin alike again."""

LOCK_NAME = compiled(r"(?i)(^|[._])(r?lock|mutex|semaphore)(\(\))?$")
"""What a `with` takes so that threads do not meet."""

SETTER_NAME = compiled(r"^_*(?:set|assign|load)(?:_|[A-Z]|$)")
"""A method that hands its argument in for what is called after it: `model.set_params(params)`, `model.solve(x)`."""

LOSS_NAME = compiled(r"(?i)(^|_)(loss|cost|objective|energy|elbo|residual)(e?s)?(_|$)|(loss|cost|objective|elbo)$")
"""A function whose values are minimized: its value and its gradient, or two of its gradients, are of the same draws."""

LIBRARY_NAMES = frozenset(("xp", "xnp", "np", "jnp", "array_module"))
"""What a function calls the library of arrays that it is given, or finds by its arguments."""

EXCHANGED_MODULES = frozenset(("xp", "xnp", "_xp"))
"""What a file calls the library of arrays that another file may exchange: `import numpy as xp` is the one to begin with
(gwpopulation, whose `set_backend` puts `jax.numpy` there).
"""

POPULATION_NAME = compiled(
    r"(^|_)(candidates?|genotypes?|individuals?|members?|networks?|params|parameters|policies|population|pop"
    r"|solutions?|thetas?)(_|$)"
)
"""The members of a population over which a function is mapped: they are compared on the same random numbers."""

DATA_MAKER = compiled(
    r"_*(make|create|build|set_?up|load|generate|get|new|random|dummy|fake|mock|example|synthetic|toy)(_|[A-Z0-9]|$)"
    r"|_*(data|dataset|batch|batches|inputs?|params|parameters|weights|state)[_0-9]*$"
)
"""A function that gives something to start from; the same start twice is seldom an accident."""

PLACEHOLDER_NAME = compiled(r"(^|_)(dummy_|(placeholder|template|abstract|shapes?|specs?|structure|treedef)(_|$))")
"""What is asked for its shape or structure, whatever it holds: nobody sees the numbers that were drawn for it."""

RESTORING_FUNCTION = compiled(
    r"^(tree_deserialise_leaves|from_bytes|from_state_dict|load_(params|weights|state)|restore(_\w+)?)$"
)
"""A function that fills the structure of what it is given with stored values: what was drawn for it is replaced."""

RECORDER_NAME = compiled(r"(^|_)(metrics?(_mod)?|logger|writer|checkpointer|recorder|tracker|wandb)$")
"""An object that writes down what it is given, and draws nothing from a key."""

MEASURE_NAME = compiled(r"(^|_)(metrics?|stat(istic)?s|log|logging|log_?probs?|entropy)(_fn|_fun|_func|_function)?$")
"""A function whose result describes what it is given, and that draws nothing from a key."""

ALWAYS_DRAWING_NAME = compiled(r"(?i)init|create|make|build|sampl|draw|nois|reset|generat|(^|_)(step|act)(_|$)")
"""What draws whether or not a network is in training: an option that turns dropout off says nothing of it."""

NETWORK_NAME = compiled(
    r"(^|_)(actor|apply|backbone|critic|decoder|dynamics|encoder|forward|head|mlp|model|module|net|network|policy"
    r"|predict(ion|or)|preproc(ess|essor)?|project(ion|or)|torso|transition|value)(_fn|_fun|_func|_function)?$"
)
"""A network that is given its parameters first and a key second, as in Haiku: only its noise reads the key."""

PARAMETERS_NAME = compiled(r"(^|_)(params?|parameters|variables|weights)$")
"""The parameters of a network."""

# What is called once, and what is called again.

PREPARING_METHOD = compiled(
    r"_*(?:init|setup|build|create|make|compile|load|reset|start|restore|prepare)(?:_|[A-Z]|ialize|$)"
)
"""A method that makes something once, or the start of something, which may well be the same each time."""

WHOLE_RUN_METHOD = compiled(
    r"_*(?:fit|train|run|main|test|eval|evaluate|optimi[sz]e|solve|plot|demo)(?:_|$)"
    r"|\w+_(?:fit|optimi[sz]e|solve|train)$"
)
"""A method that does all of the work, from the key on: called again, it starts anew.  Where that is its last word,
another may say on what it does it: `single_device_solve`."""

COPIES_SELF = compiled(
    r"\b(?:setattr|vars|copy|deepcopy|replace)\(\s*self\b|\bself\.__dict__|\btree_unflatten\b|self\._?replace\("
)
"""Code that stores into an object by a computed name, or makes another object of it: no attribute is known to stay."""

STAGED_STEPS = compiled(r"\b(?:\w+_)?(?:jit|pjit|pmap|scan|fori_loop)\b")
"""What the step of a training loop stands under, where it is traced: a schedule is then called with a traced count."""

TIMING_FILE = compiled(r"(^|_)(timing|performance|profile|profiling|benchmark|benchmarks|speed)(_|\.py$)|^testing\.py$")
"""The name of a file that times code, or stands in for tests: what it compiles again, it compiles on purpose."""

EPSILON = compiled(r"(?i)(^|_)(eps(ilon)?|tiny|smallest_normal)(_|\d*$)")
"""A number that is added, or taken for a bound, to keep something off from 0: `jnp.finfo(x.dtype).eps`."""

# Traces, compilation and time, where the code says that they are meant.

TEXT_ABOUT_TRACES = compiled(r"\b(?:jit+(?:ed|ing)?|(?:re)?compil\w+|(?:re)?trac(?:e|es|ed|ing))\b", re.IGNORECASE)
"""A text that says itself that it is written while JAX traces: `print("compiling step")`."""

COUNTS_TRACES = compiled(r"trac(?:e|es|ed|ing)(?![a-z])|compil|jit(?![a-z])", re.IGNORECASE)
"""A variable or function that counts traces: it is changed once for each on purpose."""

TIME_OF_STARTING = compiled(
    r"dispatch|enqueue|launch|async|compil|trac(?:e|ing)|lower|warm|first|\b(?:init|to jit|jitting)\b", re.IGNORECASE
)
"""A line that says that the time of starting, tracing or compiling is measured, and not that of the work."""

SAYS_COMPILING = compiled(
    r"^(?!.*(?:after|apr[eè]s|avoid|compiled|done|exclud|finish|ignor|skip|with(?:out| no)))"
    r".*(?:compil(?:ation|e|ing)|to jit|jitting)",
    re.IGNORECASE,
)
"""What is said around a time that is that of compiling: not that it is over, or left out."""

WORDS_ALONE = compiled(r"[\w.]+\(f?[\"'][^\"'{%]*[\"']\)$")
"""A line that says something to who runs it, and shows no value: `print("...")`."""

# Types of 64 bits.

ASKS_FOR_TYPE = compiled(r"dtype|finfo|iinfo|itemsize|\bbits\b|x64|np\.(?:float|int|uint|complex)")
"""A test of what a type is, or of the switch for 64 bits: under it, the wide type is chosen on purpose."""

OPTION_FOR_WIDTH = compiled(r"(?:f|fp|float|int|complex)_?(?:64|128)|64_?bit|double|precision", re.IGNORECASE)
"""A test of an option that may stand for a type; where the options are arguments, calls show what they are."""

EXPECTS_WARNING = compiled(r"\b(?:warns|catch_warnings|assertWarns\w*)\b")
"""A block in which the warning of the narrowed type is expected."""

DISPATCHING_NAME = compiled(r"(?:^|[._])(?:single|multi|multiple)?dispatch(?:method)?$|(?:^|\.)(?:ovld|overload)$")
"""A decorator that makes a function one of several, of which the types of arguments choose: another may be called."""

COMPILING_NAME = compiled(r"(?:^|[._])(?:jit|pjit|pmap)(?:ted)?$")
"""A decorator of a library that is not known: what it decorates may be compiled, and only once."""

DISTANCE_NAME = compiled(r"(?i)loss|dist(?:ance)?(?:_|$)|mse|huber|lpips|(?:^|[._])(?:kl|l1|l2)(?:_|$)|diverg|cosine")
"""What measures how far two results are from each other: what is alike in both takes itself away."""

# Releases.

VERSION_NAME = compiled(
    r"(?:^|_)(?:versions?|version_info|ver|legacy|compat)(?:_|$)|__version|VERSION|minversion", re.IGNORECASE
)
"""A test of which release of a library is installed: names that one of its sides uses need not be in all releases."""

# Parts of results, by the names that they are unpacked to.

RESULT_PART_NAMES: dict[str, re.Pattern[str]] = {
    "value": compiled(r"(.*_)?(l|loss(es)?|val(ue)?s?|cost|energy|nll|elbo|objective)(_?\w)?"),
    "gradient": compiled(r"(.*_)?(grads?|gradients?|g)(_?\w)?|grads?_.*|d(params|weights|w|theta)"),
    "updates": compiled(r"(.*_)?(updates?|grads?|deltas?)"),
    "state": compiled(r"(.*_)?(opt_?)?state(_?\w)?"),
    "carry": compiled(r"(.*_)?carry|last|final|(last|final)_state"),
    "variables": compiled(
        r"(.*_)?(var(s|iables)?|state(_?\w)?|(batch_)?stats|updates?|mutated?|collections?|changed)|(new|updated?)_.*"
    ),
    "outputs": compiled(
        r"(.*_)?(ys?|out(s|puts?)?|results?|histor(y|ies)|traj(s|ectory|ectories)?|losses|states|seqs?|samples|metrics|logs?)"
        r"|(all|stacked)_.*"
    ),
    "pullback": compiled(r"(.*_)?(vjp|pullback|pull_back|backward)(_?(fn|fun|func))?|f_?vjp"),
}
"""How the parts of results are called: `grads, loss = value_and_grad(f)(x)` has them the wrong way round."""
