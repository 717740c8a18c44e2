"""Which fragments derive each shape of the catalogue and of the real bugs, and what the grammar leaves out."""

from __future__ import annotations

SHAPES = {
    "key-arithmetic": "misuse", "key-broadcast-stack": "stacked", "key-constant-in-jit": "constant",
    "key-default-argument": "consuming", "key-dict-same-key": "in_dict", "key-double-split": "split",
    "key-dropout-rng-constant-in-loop": "library", "key-equinox-same-key": "library", "key-float-seed": "misuse",
    "key-fold-in-collides-with-split": "fold", "key-fold-in-python-hash": "fold", "key-fold-in-same-data": "fold",
    "key-global-in-function": "closure", "key-index-repeat": "split_array", "key-int-as-key": "misuse",
    "key-nnx-rngs-captured-by-jax-jit": "", "key-nnx-rngs-stream": "streams", "key-parent-use-after-split": "split",
    "key-partial-bound": "bound", "key-reuse-branch-then-after": "branch", "key-reuse-comprehension": "comprehension",
    "key-reuse-for-loop": "loop", "key-reuse-scan-closure": "scanned", "key-reuse-straight": "draw",
    "key-reuse-through-call": "consuming", "key-reuse-tree-map-lambda": "tree_mapped",
    "key-reuse-vmap-closure": "mapped", "key-same-seed-twice": "source", "key-scan-carry-not-advanced": "scanned",
    "key-shard-map-replicated": "", "key-split-not-unpacked": "misuse", "key-split-result-dropped": "discarded",
    "key-split-then-use-wrong-half": "loop", "key-stale-subkey-in-loop": "loop",
    "k07-mava-permutation": "scanned", "k09-mava-ippo-entropy": "scanned", "k10-ott-sliced-test": "consuming",
    "k13-qdax-sac": "advancing", "k15-qdax-isoline": "tree_mapped", "k18-flax-seq2seq-loop": "stepped",
    "k19-kfac-optaxwrapper": "consuming", "k20-relax-sphere": "comprehension", "k22-dynamax-glmhmm-test": "consuming",
    "k28-acme-cql": "record", "k30-haiku-attention-test": "", "k35-palm-sample-loop": "loop_over_keys",
    "k42-jaxmd-energytest": "loop",
}  # fmt: skip
"""The fragment that derives a shape, by the name of its entry; "" if none does."""

LEFT_OUT = {
    "key-nnx-rngs-captured-by-jax-jit": "streams of flax.nnx",
    "key-shard-map-replicated": "several devices",
    "k30-haiku-attention-test": "init and apply of haiku",
}
"""Why a shape is left out."""

UNCOVERED = (
    "generators, try, with, match, async", "pmap and shard_map", "associative_scan", "libraries but equinox and flax",
    "bodies that nobody knows", "selections of which one counts (jnp.where)", "sizes that differ", "inheritance",
)  # fmt: skip
"""Features of the language and of JAX that no fragment has."""
