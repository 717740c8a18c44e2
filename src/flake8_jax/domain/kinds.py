"""The kinds of abstract values, and every set of kinds that has a name.

A set is named by what its members have in common; two sets with the same members would be one set.  In the names,
"may be" counts what the analysis cannot tell apart from it: an argument may be an array.
"""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """The kind of a value.  Hashed by identity: sets of kinds are queried for every op."""

    __hash__ = object.__hash__

    UNKNOWN = "unknown"
    INPUT = "input"
    COMPUTED = "computed"
    ARRAY = "array"
    KEY = "key"
    KEYS = "keys"
    NUMPY = "numpy"
    REF = "ref"
    NUMBER = "number"
    STATIC = "static"
    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"
    SET = "set"
    FUNCTION = "function"
    PARTIAL = "partial"
    API = "api"
    METHOD = "method"
    CLASS = "class"
    INSTANCE = "instance"
    OBJECT = "object"
    MODULE = "module"
    IMPORTED = "imported"


UNKNOWN, INPUT, COMPUTED, ARRAY = Kind.UNKNOWN, Kind.INPUT, Kind.COMPUTED, Kind.ARRAY
KEY, KEYS, NUMPY, REF = Kind.KEY, Kind.KEYS, Kind.NUMPY, Kind.REF
NUMBER, STATIC = Kind.NUMBER, Kind.STATIC
LIST, TUPLE, DICT, SET = Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.SET
FUNCTION, PARTIAL, API, METHOD = Kind.FUNCTION, Kind.PARTIAL, Kind.API, Kind.METHOD
CLASS, INSTANCE, OBJECT = Kind.CLASS, Kind.INSTANCE, Kind.OBJECT
MODULE, IMPORTED = Kind.MODULE, Kind.IMPORTED

KIND_NOUNS: dict[Kind, str] = {
    COMPUTED: "computed from inputs", KEY: "random key", KEYS: "array of random keys", NUMPY: "NumPy array",
    REF: "mutable reference", STATIC: "host value", API: "library name", IMPORTED: "import",
}  # fmt: skip
"""How texts call a kind, where it is not by its own name."""

# Arrays, and what may be one.

ARRAYS_OR_COMPUTED = frozenset((ARRAY, COMPUTED))
"""A JAX array, or the result of operators on inputs, which is an array if one of the inputs is."""

SYMBOLIC = frozenset((INPUT, COMPUTED))
"""An argument, or computed from arguments: what it is depends on the caller."""

MAY_BE_ARRAY = frozenset((ARRAY, COMPUTED, INPUT))
"""A JAX array, or what is one if the caller's arguments are arrays."""

ARRAY_OR_INPUT = frozenset((ARRAY, INPUT))
"""A JAX array or an argument, and nothing that operators made of them."""

MAY_BE_ARRAY_OR_UNKNOWN = frozenset((ARRAY, COMPUTED, INPUT, UNKNOWN))
"""Whatever is not known to be something else than a JAX array."""

CERTAIN_ARRAYS = frozenset((ARRAY, NUMPY))
"""Certainly an array, of JAX or of NumPy."""

SHAPED = frozenset((ARRAY, COMPUTED, NUMPY))
"""What has a shape, whether that is known or not."""

MAY_BE_ANY_ARRAY = frozenset((ARRAY, COMPUTED, INPUT, NUMPY))
"""An array of JAX or of NumPy, or what is one if the caller's arguments are."""

INDEXED_ARRAYS = frozenset((ARRAY, KEYS))
"""Certainly an array of JAX that has axes to index, an array of keys among them."""

ARRAYS_AND_KEYS = frozenset((ARRAY, KEY, KEYS))
"""Certainly made by JAX, and held by its backend."""

STAGED = frozenset((ARRAY, COMPUTED, KEY, KEYS, REF))
"""What may be a tracer; where it depends on nothing, it is none."""

MAY_BE_TRACER = frozenset((ARRAY, COMPUTED, INPUT, KEY, KEYS))
"""An array, a key, or an argument that may be one."""

SHOWN_TO_CALLERS = MAY_BE_TRACER | {STATIC}
"""What takes over the dependences of a caller's argument where the summary says that the argument shows in it."""

WITH_JAX_ATTRIBUTES = frozenset((ARRAY, COMPUTED, KEY, KEYS, NUMPY))
"""What has `shape`, `ndim`, `size` and `dtype` that are known while it is traced."""

DISPLAYED = frozenset((DICT, TUPLE))
"""What displays make of parts: a comprehension of such is followed into them."""

ALIKE_IN_SEQUENCES = ARRAYS_OR_COMPUTED | {KEY, NUMPY, REF}
"""What makes the elements of a sequence one like another, if all are of this kind."""

FIELDS_TRACED_WITH_OBJECT = ARRAYS_OR_COMPUTED | {KEY, KEYS, INSTANCE}
"""A field that is traced where its object was passed through a transform."""

# Numbers, values of the host, operands.

HOST_CONSTANTS = frozenset((NUMBER, STATIC))
"""A value of the host whose constant may be known."""

HOST_VALUES = frozenset((NUMBER, STATIC, NUMPY))
"""Certainly a value of the host: a number, a text or flag, an array of NumPy."""

HOST_OPERANDS = HOST_VALUES | {API}
"""What operators compute on the host; constants of libraries, as `np.pi`, are among them."""

MAY_BE_HOST_CONSTANT = frozenset((NUMBER, STATIC, INPUT, UNKNOWN))
"""A number or another value of the host, None among them, or what may be one."""

MAY_BE_NUMBER = frozenset((NUMBER, INPUT))
"""A number of the host, or an argument that may be one."""

NUMPY_OR_NUMBER = frozenset((NUMPY, NUMBER))
"""Numbers of the host, alone or in an array."""

WIDENED_ARRAYS = frozenset((ARRAY,))
"""What may have another shape after each iteration of a loop."""

ARRAYS_AND_NUMBERS = WIDENED_ARRAYS | {NUMBER}
"""Certainly a number or a JAX array: what the iterations of a loop count up, or let grow."""

NUMERIC = frozenset((ARRAY, COMPUTED, NUMBER))
"""A number, or an array of them."""

NUMERIC_OR_KEYS = NUMERIC | {KEY, KEYS}
"""An operand of arithmetic that says that the other one is no text."""

SCALARS_AND_ARRAYS = frozenset((STATIC, ARRAY, COMPUTED))
"""A flag of the host or an array, one of which takes the place of the other on another path."""

ARITHMETIC = frozenset((NUMBER, ARRAY, COMPUTED, INPUT))
"""The operands of arithmetic, which the chain of the lattice orders."""

ARITHMETIC_OR_NUMPY = ARITHMETIC | {NUMPY}
"""The operands of arithmetic, arrays of NumPy among them."""

IMMUTABLE_DATA = frozenset((ARRAY, COMPUTED, INPUT, NUMBER, STATIC))
"""Data that is what it is: nothing changes it in place."""

SEQUENCES_OR_NUMBERS = frozenset((LIST, TUPLE, NUMBER))
"""Operands of `*` and `+` that are all of the host: a sequence is repeated or extended."""

# Random keys.

RANDOM_KEYS = frozenset((KEY, KEYS))
"""A random key, or an array of random keys, by where it comes from or by its annotation."""

KEYS_OR_INPUT = frozenset((KEY, KEYS, INPUT))
"""A random key, or an argument that may be one."""

MAY_BE_KEY = frozenset((KEY, KEYS, INPUT, UNKNOWN, ARRAY, COMPUTED))
"""A random key, or what may be one: keys are annotated as arrays, and raw keys are arrays."""

RENEWED_BY_LOOPS = frozenset((KEY, KEYS, INSTANCE))
"""What an iteration binds anew: after the loop a name stands for the last one, not for the join of all."""

# Containers and trees.

SEQUENCES = frozenset((LIST, TUPLE))
"""A list or a tuple."""

CONTAINERS = frozenset((LIST, TUPLE, DICT, SET))
"""A container of Python whose items may be known."""

DEFAULTS_OF_HOST = CONTAINERS | {NUMBER, STATIC}
"""What a field is that nobody passed, where an annotation speaks of an array: `limits: Array = (0, 1)`."""

TREE_NODES = frozenset((LIST, TUPLE, DICT))
"""A container that JAX takes for a node of a tree."""

DICT_OR_INPUT = frozenset((DICT, INPUT))
"""A dict, or what a caller hands in for one."""

LISTS_AND_DICTS = frozenset((LIST, DICT))
"""A container that is filled by index, key or `append`."""

MAY_HOLD_ARRAYS = CONTAINERS | MAY_BE_ARRAY
"""A container, or what may be a JAX array."""

MAY_HOLD_ARRAYS_OR_UNKNOWN = MAY_HOLD_ARRAYS | {UNKNOWN}
"""Whatever is not known to be something else than JAX arrays or a container."""

DECIDES_DTYPE = MAY_BE_ARRAY | SEQUENCES
"""What may decide the dtype of a result, as the argument for a parameter that was not measured."""

SHOWN_IN_TEXTS = MAY_BE_ARRAY | TREE_NODES | {STATIC}
"""What shows its arrays, and what they depend on, where it is formatted as a text."""

MAY_BE_ITERATOR = frozenset((LIST, UNKNOWN))
"""An iterator: it is known as the list of its items, or not at all."""

MAPPED_LEAVES = frozenset((ARRAY, COMPUTED, NUMPY, KEY))
"""What is one leaf where a function is mapped over trees."""

NUMERIC_LEAVES = frozenset((ARRAY, COMPUTED, NUMBER, NUMPY))
"""A leaf of numbers, one or an array of them."""

LEAVES = NUMERIC_LEAVES | {KEY, KEYS}
"""A leaf of a tree that JAX accepts, if what was computed from inputs is one."""

CERTAIN_LEAVES = frozenset((ARRAY, NUMBER, NUMPY, KEY, KEYS))
"""Certainly a leaf of a tree; what is computed from inputs may be what their methods give."""

TRACEABLE = LEAVES | {INPUT}
"""JAX can trace it, as far as its kind tells."""

LEAVES_AND_REFERENCES = LEAVES | {REF}
"""What JAX accepts for an argument of a transformed function."""

TRACED_AS_ARRAY = frozenset((ARRAY, NUMPY, NUMBER))
"""What a transformed function gets as an array, if it is traced."""

BUFFERS = frozenset((ARRAY, COMPUTED, INPUT, UNKNOWN, INSTANCE, KEY, OBJECT))
"""What may be an array that is donated, or a tree of such."""

# What is certainly no JAX array.

NOT_AN_ARRAY = CONTAINERS | {REF, NUMPY, NUMBER}
"""Certainly no JAX array: a container, a reference, an array of NumPy, a number."""

NOT_AN_ARRAY_OR_OBJECT = NOT_AN_ARRAY | {INSTANCE, OBJECT}
"""Certainly no JAX array: what is none, or an object, whose attributes are its own."""

NOT_AN_INSTANCE = frozenset((ARRAY, DICT, KEY, KEYS, LIST, NUMBER, NUMPY, TUPLE))
"""An object of no class of the project, unless that derives from a class of a library."""

FORMATTED_WHOLE = CONTAINERS | {ARRAY, NUMPY, NUMBER}
"""Certainly no text: a format shows it as a whole."""

IN_PLACE_OR_NUMBER = CONTAINERS | {NUMPY, NUMBER}
"""What `+=` changes in place, or a number, which nobody expects to be changed."""

ITEMS_STORED = CONTAINERS | {NUMPY, REF}
"""What items are stored into: a container, an array of NumPy, a reference."""

CERTAINLY_DATA = CONTAINERS | {ARRAY, COMPUTED, REF, NUMPY, NUMBER}
"""Certainly not None: what a kernel that must return nothing has returned."""

HARMLESS_AS_ARGUMENT = frozenset(
    (API, CLASS, FUNCTION, INSTANCE, KEY, KEYS, METHOD, MODULE, NUMBER, NUMPY, OBJECT, PARTIAL, REF, STATIC)
)
"""What is neither a tracer, nor an array, nor a sequence, nor a container of such."""

# What may be changed in place.

MUTABLE_KINDS = frozenset((UNKNOWN, INPUT, LIST, DICT, SET, INSTANCE, OBJECT, REF, NUMPY))
"""What code that is not known may change in place."""

CHANGEABLE = MUTABLE_KINDS | {FUNCTION, METHOD, PARTIAL, TUPLE}
"""What is changed in place itself, or holds or touches what is."""

MUTABLE_DATA = frozenset((DICT, LIST, NUMPY, SET))
"""Data that is read as a whole where it is read, and may be changed by its methods."""

CHANGED_FROM_OUTSIDE = MUTABLE_DATA | {NUMBER, STATIC}
"""Settings in a variable of a module, which another file binds anew or changes in place."""

MAY_BE_REFERENCE = frozenset((INPUT, REF))
"""A mutable reference of JAX, or an argument that may be one."""

STORED_BY_METHODS = CONTAINERS | {REF, NUMPY, METHOD, OBJECT, INSTANCE}
"""What an assignment to an item or attribute changes: it is no JAX array."""

CHANGING_PARTS = frozenset((INSTANCE, DICT, LIST, OBJECT, UNKNOWN))
"""What a name of another scope may stand for, whose parts change between two reads."""

SHARED_NAMESPACES = frozenset((API, CLASS, MODULE))
"""What has attributes that the whole program shares."""

PARTLY_KNOWN = SHARED_NAMESPACES | {UNKNOWN, OBJECT, FUNCTION, METHOD}
"""What has attributes that are not all known."""

STORED_FROM_INSIDE = CONTAINERS | PARTLY_KNOWN | {INSTANCE, NUMPY}
"""What a function may store a value into that outlives its call."""

# Functions, classes, objects.

FUNCTIONS = frozenset((FUNCTION, PARTIAL))
"""A function of the project, perhaps with some of its arguments bound."""

FUNCTIONS_OR_METHODS = FUNCTIONS | {METHOD}
"""A function of the project, or a method of a value."""

BOUND_FUNCTIONS = frozenset((PARTIAL, METHOD))
"""A function to which an object or arguments are bound."""

ANY_FUNCTION = FUNCTIONS | {API}
"""A function of the project or of a library."""

FUNCTIONS_OR_OBJECTS = FUNCTIONS | {OBJECT}
"""A function of the project, or an object of a library, which may be called."""

KEPT_STATIC = FUNCTIONS_OR_OBJECTS | {NUMBER}
"""What is certainly no array, where arrays alone are traced."""

WRAPPED_BY_TRANSFORMS = FUNCTIONS | {API, OBJECT}
"""What a transform is known to wrap."""

CALLABLES = FUNCTIONS | {API, CLASS, INSTANCE}
"""What can be called, and is known by its description."""

CALLABLES_OR_UNKNOWN = CALLABLES | {UNKNOWN}
"""A callable; or unknown, which may remember alternatives that are callables."""

ANY_CALLABLE = CALLABLES | {METHOD, OBJECT}
"""What a transform may be given to run, with effects of its own."""

REGISTERED = CALLABLES | {INPUT}
"""What is followed from the place where it is entered in a registry to where it is looked up."""

FOLLOWED_FROM_LISTS = CALLABLES | {ARRAY, COMPUTED, OBJECT}
"""What is followed from a list that is filled in a loop: all its elements are alike."""

FOLLOWED_FROM_COMPREHENSIONS = CALLABLES | {ARRAY, COMPUTED, DICT, TUPLE, OBJECT, INSTANCE}
"""What is followed from a comprehension: all its elements are alike."""

DEFINITIONS = frozenset((API, CLASS, FUNCTION, PARTIAL, MODULE, IMPORTED))
"""What a definition or an import binds a name to; it stays the same, whichever binding a function reads."""

DEFINITIONS_OR_REFERENCES = frozenset((FUNCTION, CLASS, MODULE, API, REF))
"""What a function may read from outside without keeping an old value of it in its trace."""

IMPORTABLE = frozenset((CLASS, FUNCTION, MODULE, PARTIAL))
"""What an import of the project certainly finds."""

NAMED_IN_CALLS = CALLABLES | {MODULE, OBJECT}
"""What a name must stand for to say what code calls."""

DESCRIBED = DEFINITIONS | {METHOD, INSTANCE, OBJECT}
"""What is known by a description: its payload is not joined with another."""

TOLD_BY_PAYLOAD = CALLABLES_OR_UNKNOWN - {API}
"""The kinds of which the payload says what they are."""

OBJECTS = frozenset((INSTANCE, OBJECT))
"""An object of a class of the project or of a library."""

OBJECTS_OR_UNKNOWN = OBJECTS | {UNKNOWN}
"""An object, or the result of a call that is not known."""

MAY_BE_OBJECT = OBJECTS | {INPUT}
"""An object, or an argument that may be one."""

MAY_BE_INSTANCE = frozenset((INSTANCE, INPUT))
"""What may be an object whose class has a method for an operator."""

ANNOTATION_KINDS = frozenset((API, CLASS, STATIC))
"""What an annotation is read as: a class of the project, a name of a library, or a constant, as None is."""

NAMESPACES = frozenset((API, MODULE))
"""A module of the project, or a name of a library, which may be a module."""

FIELD_TYPES = frozenset((ARRAY, KEY, REF))
"""What the annotation of a field promises, so that its value is known without a store."""

STABLE_FIELDS = FIELD_TYPES - {KEY} | CALLABLES | {NUMPY, OBJECT}
"""What a field is known to hold if all stores agree on it."""

WITH_METHODS = CONTAINERS | HOST_VALUES | FUNCTIONS_OR_OBJECTS | {REF}
"""What is asked for its methods where an attribute is not a part of it."""

HASHABLE_KINDS = frozenset((API, CLASS, FUNCTION, METHOD, MODULE, NUMBER, PARTIAL, STATIC))
"""What is certainly hashable."""

# What is not determined.

MAY_BE_ANYTHING = frozenset((UNKNOWN, INPUT))
"""Nothing is known of it, or it is an argument as the function gets it."""

UNDETERMINED = frozenset((UNKNOWN, INPUT, COMPUTED))
"""What neither is known to be an array nor to be something else."""
