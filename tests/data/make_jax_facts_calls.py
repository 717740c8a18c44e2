"""What make_jax_facts.py calls functions with: modules, sample values, and the calls that cannot be guessed."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


class Varargs(tuple[Any, ...]):
    """The arguments of a `*parameter`; any other tuple is one argument."""


DISTRIBUTIONS = (
    "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic "
    "multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"
)
MODULES = (
    "jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.lax.linalg", "jax.nn", "jax.random",
    "jax.ops", "jax.image", "jax.dtypes", "jax.ref", "jax.flatten_util", "jax.scipy.linalg", "jax.scipy.special",
    "jax.scipy.signal", "jax.scipy.ndimage", "jax.scipy.fft", "jax.scipy.integrate", "jax.scipy.sparse.linalg",
    "jax.scipy.cluster.vq", "jax.scipy.stats", *(f"jax.scipy.stats.{name}" for name in DISTRIBUTIONS.split()),
)  # fmt: skip

METHODS = {
    "Array": (
        "all any argmax argmin argpartition argsort astype block_until_ready byteswap choose clip clone "
        "compress conj conjugate copy copy_to_host_async cumprod cumsum devices diagonal dot flatten is_deleted "
        "is_ready item max mean min nonzero on_device_size_in_bytes prod ptp ravel repeat reshape round searchsorted "
        "sort squeeze std sum swapaxes take to_device tobytes tolist trace transpose unsafe_buffer_pointer var view"
    ).split(),
    "Array.at": "add apply divide get max min mul multiply power set subtract".split(),
}
# Elsewhere in `jax` stand transforms (make_transform_facts.py measures those) and what changes the configuration.
ONLY = {
    "jax": (
        "block_until_ready copy_to_host_async default_backend device_count device_get device_put devices empty_ref "
        "free_ref freeze host_count host_id host_ids live_arrays local_device_count local_devices make_mesh new_ref "
        "process_count process_index process_indices reshard typeof"
    ).split(),
}
SKIPPED = frozenset(
    (
        "jax.numpy.load", "jax.numpy.save", "jax.numpy.savez", "jax.numpy.set_printoptions", "jax.numpy.printoptions",
        "jax.numpy.fromfile", "jax.numpy.fromiter", "jax.lax.ConvGeneralDilatedDimensionNumbers",
        "jax.lax.PrecisionLike", "jax.lax.DotDimensionNumbers", "jax.dtypes.bfloat16", "jax.dtypes.prng_key", "jax.ref.Ref",
        "jax.numpy.apply_along_axis", "jax.numpy.apply_over_axes", "jax.numpy.fromfunction", "jax.numpy.frompyfunc",
        "jax.numpy.piecewise", "jax.numpy.vectorize", "jax.lax.associative_scan", "jax.lax.cond",
        "jax.lax.custom_linear_solve", "jax.lax.custom_root", "jax.lax.fori_loop", "jax.lax.map",
        "jax.lax.platform_dependent", "jax.lax.reduce", "jax.lax.reduce_window", "jax.lax.scan",
        "jax.lax.scatter_apply", "jax.lax.switch", "jax.lax.while_loop", "jax.lax.composite",
        "jax.scipy.sparse.linalg.bicgstab", "jax.scipy.sparse.linalg.cg", "jax.scipy.sparse.linalg.gmres",
    )
)  # fmt: skip

F1 = np.array([0.25, 0.5, 0.75], np.float32)
F2 = np.array([[2, 0.5, 0.1], [0.5, 2, 0.1], [0.1, 0.1, 2]], np.float32)
I1 = np.array([0, 1, 2], np.int32)
B1 = np.array([True, False, True])
ARRAYS = (
    F1, I1, F2, B1, np.array([1, 1j, 2], np.complex64), np.array(0.5, np.float32), np.array([0, 1, 2], np.uint8),
    np.ones((1, 3, 3), np.float32), np.array([[0, 1, 2]], np.int32), np.array(1, np.int32),
)  # fmt: skip
SCALARS = (1, 2, 0, True, False, 0.5, (0,), (1,), (0, 1), (3,))
KEY = jax.random.key(0)
NAMED: dict[str, Any] = {
    "shape": (3,), "dtype": jnp.float32, "new_dtype": jnp.float32, "key": KEY, "keys": KEY, "axis_name": "i",
}  # fmt: skip
WORDS: dict[str, tuple[Any, ...]] = {
    "precision": ("highest",), "order": ("C",), "kind": ("stable",), "mode": ("clip", "reflect"), "method": ("scan", "linear"),
    "dtype": (jnp.float32, jnp.int32), "preferred_element_type": (jnp.float32,), "optimize": ("optimal",), "casting": ("safe",),
}  # fmt: skip
F3 = np.ones((1, 3, 3), np.float32)
IMAGE = np.ones((1, 1, 5, 5), np.float32)
KERNEL = np.ones((1, 1, 3, 3), np.float32)
BYTES = np.array([0, 1, 2, 3], np.uint8)
GATHER = jax.lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
SCATTER = jax.lax.ScatterDimensionNumbers((), (0,), (0,))
CONV = ("NCHW", "OIHW", "NCHW")
RAGGED = jax.lax.RaggedDotDimensionNumbers((([1], [1]), ([], [])), [0], [0])


def make_ref() -> Any:
    """A mutable reference, made for one call."""
    return jax.new_ref(jnp.ones(3))


def axes(name: str) -> dict[str, Any]:
    """A collective over the axis `i` that every probe runs under."""
    return {name: F1, "axis_name": "i"}


BASES: dict[str, dict[str, Any]] = {
    **{f"Array.{name}": {"initial": 0.0} for name in ("max", "min")},
    **{f"jax.numpy.{name}": {"a": F1, "initial": 0.0} for name in ("amax", "amin", "max", "min", "nanmax", "nanmin")},
    **{f"Array.{name}": {} for name in ("transpose", "block_until_ready", "clone", "is_deleted", "is_ready")},
    **{f"Array.{name}": {} for name in ("on_device_size_in_bytes", "unsafe_buffer_pointer", "copy_to_host_async")},
    "Array.swapaxes": {"axis1": 0, "axis2": 1},
    "Array.at.apply": {"func": jnp.exp},
    **{f"Array.at.{name}": {"values": 2.0} for name in "add divide max min mul multiply power set subtract".split()},
    "Array.argpartition": {"kth": 1},
    "Array.choose": {"choices": [I1, I1, I1], "mode": "clip"},
    "Array.compress": {"condition": B1, "size": 2},
    "Array.nonzero": {"size": 2},
    "Array.repeat": {"repeats": 2, "total_repeat_length": 6},
    "Array.reshape": {"args": Varargs([3])},
    "Array.to_device": {"device": jax.devices()[0]},
    "jax.make_mesh": {"axis_shapes": (1,), "axis_names": ("i",)},
    "jax.new_ref": {"init_val": F1},
    "jax.free_ref": {"ref": make_ref},
    "jax.freeze": {"ref": make_ref},
    "jax.ref.addupdate": {"ref": make_ref, "idx": 0, "x": np.array(0.5, np.float32)},
    "jax.ref.free_ref": {"ref": make_ref},
    "jax.ref.freeze": {"ref": make_ref},
    "jax.ref.get": {"ref": make_ref, "idx": 0},
    "jax.ref.set": {"ref": make_ref, "idx": ..., "value": F1},
    "jax.ref.swap": {"ref": make_ref, "idx": ..., "value": F1},
    "jax.numpy.argpartition": {"a": F1, "kth": 1},
    "jax.numpy.argwhere": {"a": B1, "size": 2},
    "jax.numpy.array": {"object": F1},
    "jax.numpy.bincount": {"x": I1, "length": 3},
    "jax.numpy.choose": {"a": I1, "choices": [F1, F1, F1], "mode": "clip"},
    "jax.numpy.clip": {"arr": F1, "min": 0.0, "max": 1.0},
    "jax.numpy.compress": {"condition": B1, "a": F1, "size": 2},
    "jax.numpy.dsplit": {"ary": F3, "indices_or_sections": 3},
    "jax.numpy.einsum": {"subscripts": "i,i->", "operands": Varargs([F1, F1])},
    "jax.numpy.einsum_path": {"subscripts": "i,i->", "operands": Varargs([F1, F1])},
    "jax.numpy.extract": {"condition": B1, "arr": F1, "size": 2},
    "jax.numpy.fill_diagonal": {"a": F2, "val": 0.5, "inplace": False},
    "jax.numpy.flatnonzero": {"a": B1, "size": 2},
    "jax.numpy.fromstring": {"string": "1 2 3", "sep": " "},
    "jax.numpy.intersect1d": {"ar1": I1, "ar2": I1, "size": 3},
    "jax.numpy.isin": {"element": I1, "test_elements": I1},
    "jax.numpy.lexsort": {"keys": [F1, F1]},
    "jax.numpy.broadcast_shapes": {"shapes": Varargs([(3,), (1,)])},
    "jax.numpy.mask_indices": {"n": 3, "mask_func": jnp.triu, "size": 6},
    "jax.numpy.moveaxis": {"a": F2, "source": 0, "destination": 1},
    "jax.numpy.nonzero": {"a": B1, "size": 2},
    "jax.numpy.pad": {"array": F1, "pad_width": 1},
    "jax.numpy.partition": {"a": F1, "kth": 1},
    "jax.numpy.permute_dims": {"a": F2, "axes": (1, 0)},
    "jax.numpy.place": {"arr": F1, "mask": B1, "vals": F1, "inplace": False},
    "jax.numpy.polyfit": {"x": F1, "y": F1, "deg": 1},
    "jax.numpy.put": {"a": F1, "ind": I1, "v": F1, "inplace": False},
    "jax.numpy.put_along_axis": {"arr": F1, "indices": I1, "values": F1, "axis": 0, "inplace": False},
    "jax.numpy.ravel_multi_index": {"multi_index": (I1, I1), "dims": (3, 3), "mode": "clip"},
    "jax.numpy.repeat": {"a": F1, "repeats": 2, "total_repeat_length": 6},
    "jax.numpy.reshape": {"a": F1, "shape": (3,)},
    "jax.numpy.resize": {"a": F1, "new_shape": (2,)},
    "jax.numpy.rollaxis": {"a": F2, "axis": 1},
    "jax.numpy.roots": {"p": F1, "strip_zeros": False},
    "jax.numpy.select": {"condlist": [B1, B1], "choicelist": [F1, F1]},
    "jax.numpy.setdiff1d": {"ar1": I1, "ar2": I1, "size": 3},
    "jax.numpy.setxor1d": {"ar1": I1, "ar2": I1, "size": 3},
    "jax.numpy.swapaxes": {"a": F2, "axis1": 0, "axis2": 1},
    "jax.numpy.tensordot": {"a": F1, "b": F1, "axes": 1},
    "jax.numpy.tile": {"A": F1, "reps": 2},
    "jax.numpy.union1d": {"ar1": I1, "ar2": I1, "size": 3},
    "jax.numpy.unique": {"ar": I1, "size": 3},
    "jax.numpy.unique_all": {"x": I1, "size": 3},
    "jax.numpy.unique_counts": {"x": I1, "size": 3},
    "jax.numpy.unique_inverse": {"x": I1, "size": 3},
    "jax.numpy.unique_values": {"x": I1, "size": 3},
    "jax.numpy.unravel_index": {"indices": I1, "shape": (3, 3)},
    "jax.numpy.where": {"condition": B1, "x": F1, "y": F1},
    "jax.numpy.linalg.cross": {"x1": F1, "x2": F1},
    "jax.numpy.linalg.matrix_power": {"a": F2, "n": 2},
    "jax.numpy.linalg.multi_dot": {"arrays": [F2, F2]},
    "jax.numpy.linalg.tensorinv": {"a": F2, "ind": 1},
    "jax.numpy.linalg.tensorsolve": {"a": F2, "b": F1},
    "jax.lax.all_gather": axes("x"),
    "jax.lax.all_to_all": {"x": np.ones((2, 2), np.float32), "axis_name": "i", "split_axis": 0, "concat_axis": 1},
    "jax.lax.approx_max_k": {"operand": F1, "k": 2},
    "jax.lax.approx_min_k": {"operand": F1, "k": 2},
    "jax.lax.argmax": {"operand": F1, "axis": 0, "index_dtype": jnp.int32},
    "jax.lax.argmin": {"operand": F1, "axis": 0, "index_dtype": jnp.int32},
    "jax.lax.batch_matmul": {"lhs": F3, "rhs": F3},
    "jax.lax.broadcast": {"operand": F1, "sizes": (2,)},
    "jax.lax.broadcast_in_dim": {"operand": F1, "shape": (2, 3), "broadcast_dimensions": (1,)},
    "jax.lax.broadcast_shapes": {"shapes": Varargs([(3,), (1,)])},
    "jax.lax.broadcast_to_rank": {"x": F1, "rank": 2},
    "jax.lax.concatenate": {"operands": [F1, F1], "dimension": 0},
    "jax.lax.conv": {"lhs": IMAGE, "rhs": KERNEL, "window_strides": (1, 1), "padding": "SAME"},
    "jax.lax.conv_dimension_numbers": {"lhs_shape": (1, 1, 5, 5), "rhs_shape": (1, 1, 3, 3), "dimension_numbers": CONV},
    "jax.lax.conv_general_dilated": {"lhs": IMAGE, "rhs": KERNEL, "window_strides": (1, 1), "padding": "SAME"},
    "jax.lax.conv_general_dilated_local": {
        "lhs": IMAGE, "rhs": np.ones((1, 9, 3, 3), np.float32), "window_strides": (1, 1), "padding": "VALID",
        "filter_shape": (3, 3),
    },
    "jax.lax.conv_general_dilated_patches": {
        "lhs": IMAGE, "filter_shape": (3, 3), "window_strides": (1, 1), "padding": "SAME"
    },
    "jax.lax.conv_general_permutations": {"dimension_numbers": CONV},
    "jax.lax.conv_general_shape_tuple": {
        "lhs_shape": (1, 1, 5, 5), "rhs_shape": (1, 1, 3, 3), "window_strides": (1, 1), "padding": "SAME",
        "dimension_numbers": CONV,
    },
    "jax.lax.conv_shape_tuple": {
        "lhs_shape": (1, 1, 5, 5), "rhs_shape": (1, 1, 3, 3), "strides": (1, 1), "pads": [(0, 0), (0, 0)]
    },
    "jax.lax.conv_transpose": {
        "lhs": IMAGE, "rhs": KERNEL, "strides": (1, 1), "padding": "SAME", "dimension_numbers": CONV
    },
    "jax.lax.conv_transpose_shape_tuple": {
        "lhs_shape": (1, 1, 5, 5), "rhs_shape": (1, 1, 3, 3), "window_strides": (1, 1), "padding": "SAME",
        "dimension_numbers": CONV,
    },
    "jax.lax.conv_with_general_padding": {
        "lhs": IMAGE, "rhs": KERNEL, "window_strides": (1, 1), "padding": [(0, 0), (0, 0)], "lhs_dilation": (1, 1),
        "rhs_dilation": (1, 1),
    },
    "jax.lax.dot_general": {"lhs": F1, "rhs": F1, "dimension_numbers": (((0,), (0,)), ((), ()))},
    "jax.lax.dynamic_index_in_dim": {"operand": F1, "index": 0},
    "jax.lax.dynamic_slice": {"operand": F1, "start_indices": (0,), "slice_sizes": (2,)},
    "jax.lax.dynamic_slice_in_dim": {"operand": F1, "start_index": 0, "slice_size": 2},
    "jax.lax.dynamic_update_index_in_dim": {"operand": F2, "update": F1, "index": 0, "axis": 0},
    "jax.lax.dynamic_update_slice": {"operand": F1, "update": F1, "start_indices": (0,)},
    "jax.lax.dynamic_update_slice_in_dim": {"operand": F1, "update": F1, "start_index": 0, "axis": 0},
    "jax.lax.expand_dims": {"array": F1, "dimensions": (0,)},
    "jax.lax.fft": {"x": np.array([1, 1j, 2], np.complex64), "fft_type": "fft", "fft_lengths": (3,)},
    "jax.lax.gather": {
        "operand": F1, "start_indices": np.array([[0], [1]]), "dimension_numbers": GATHER, "slice_sizes": (1,)
    },
    "jax.lax.index_in_dim": {"operand": F1, "index": 0},
    "jax.lax.index_take": {"src": F1, "idxs": (I1,), "axes": (0,)},
    "jax.lax.integer_pow": {"x": F1, "y": 2},
    "jax.lax.pad": {"operand": F1, "padding_value": np.array(0, np.float32), "padding_config": [(1, 1, 0)]},
    "jax.lax.padtype_to_pads": {"in_shape": (5,), "window_shape": (3,), "window_strides": (1,), "padding": "SAME"},
    "jax.lax.pmax": axes("x"),
    "jax.lax.pmean": axes("x"),
    "jax.lax.pmin": axes("x"),
    "jax.lax.ppermute": {**axes("x"), "perm": [(0, 1), (1, 0)]},
    "jax.lax.pshuffle": {**axes("x"), "perm": [1, 0]},
    "jax.lax.psum": axes("x"),
    "jax.lax.psum_scatter": {"x": np.ones((2, 3), np.float32), "axis_name": "i"},
    "jax.lax.pswapaxes": {"x": np.ones((2, 3), np.float32), "axis_name": "i", "axis": 0},
    "jax.lax.ragged_dot": {"lhs": F2, "rhs": F3, "group_sizes": np.array([3], np.int32)},
    "jax.lax.ragged_dot_general": {
        "lhs": F2, "rhs": F3, "group_sizes": np.array([3], np.int32), "ragged_dot_dimension_numbers": RAGGED
    },
    **{f"jax.lax.reduce_{name}": {"operand": F1, "axes": (0,)} for name in ("max", "min", "prod", "sum")},
    **{f"jax.lax.reduce_{name}": {"operand": B1, "axes": (0,)} for name in ("and", "or", "xor")},
    "jax.lax.reduce_precision": {"operand": F1, "exponent_bits": 5, "mantissa_bits": 5},
    "jax.lax.reduce_window_shape_tuple": {
        "operand_shape": (3,), "window_dimensions": (2,), "window_strides": (1,), "padding": [(0, 0)]
    },
    "jax.lax.reshape": {"operand": F1, "new_sizes": (3,)},
    "jax.lax.rev": {"operand": F1, "dimensions": (0,)},
    "jax.lax.rng_bit_generator": {"key": np.zeros(4, np.uint32), "shape": (3,)},
    **{
        f"jax.lax.scatter{name}": {
            "operand": F1, "scatter_indices": np.array([[0], [1]]), "updates": np.array([1, 2], np.float32),
            "dimension_numbers": SCATTER,
        }
        for name in ("", "_add", "_max", "_min", "_mul", "_sub")
    },
    "jax.lax.slice": {"operand": F1, "start_indices": (0,), "limit_indices": (2,)},
    "jax.lax.slice_in_dim": {"operand": F1, "start_index": 0, "limit_index": 2},
    "jax.lax.sort": {"operand": F1},
    "jax.lax.sort_key_val": {"keys": F1, "values": F1},
    "jax.lax.split": {"operand": F1, "sizes": (1, 2)},
    "jax.lax.squeeze": {"array": F3, "dimensions": (0,)},
    "jax.lax.stack": {"operands": [F1, F1]},
    "jax.lax.tile": {"operand": F1, "reps": (2,)},
    "jax.lax.top_k": {"operand": F1, "k": 2},
    "jax.lax.transpose": {"operand": F2, "permutation": (1, 0)},
    "jax.lax.with_sharding_constraint": {
        "x": F1, "shardings": jax.sharding.SingleDeviceSharding(jax.devices()[0])
    },
    "jax.lax.linalg.cholesky_update": {"r_matrix": F2, "w_vector": F1},
    "jax.lax.linalg.householder_product": {"a": F2, "taus": F1},
    "jax.lax.linalg.lu_pivots_to_permutation": {"pivots": I1, "permutation_size": 3},
    "jax.lax.linalg.ormqr": {"a": F2, "taus": F1, "c": F2},
    "jax.lax.linalg.symmetric_product": {"a_matrix": F2, "c_matrix": F2},
    "jax.lax.linalg.triangular_solve": {"a": F2, "b": F2},
    "jax.lax.linalg.tridiagonal_solve": {"dl": F1, "d": F1, "du": F1, "b": np.ones((3, 1), np.float32)},
    "jax.nn.dot_product_attention": {
        name: np.ones((1, 4, 2, 8), np.float32) for name in ("query", "key", "value")
    },
    "jax.nn.get_scaled_dot_general_config": {"mode": "mxfp8"},
    "jax.nn.glu": {"x": np.ones(4, np.float32)},
    "jax.nn.one_hot": {"x": I1, "num_classes": 3},
    "jax.ops.segment_max": {"data": F1, "segment_ids": I1, "num_segments": 3},
    "jax.ops.segment_min": {"data": F1, "segment_ids": I1, "num_segments": 3},
    "jax.ops.segment_prod": {"data": F1, "segment_ids": I1, "num_segments": 3},
    "jax.ops.segment_sum": {"data": F1, "segment_ids": I1, "num_segments": 3},
    "jax.random.multinomial": {"key": KEY, "n": 3, "p": F1},
    "jax.random.multivariate_normal": {"key": KEY, "mean": F1, "cov": F2},
    "jax.random.wrap_key_data": {"key_bits_array": np.array([0, 1], np.uint32)},
    "jax.image.resize": {"image": F1, "shape": (2,), "method": "linear"},
    "jax.image.scale_and_translate": {
        "image": F1, "shape": (2,), "spatial_dims": (0,), "scale": np.ones(1, np.float32),
        "translation": np.zeros(1, np.float32), "method": "linear",
    },
    "jax.scipy.linalg.cho_solve": {"c_and_lower": (F2, True), "b": F1},
    "jax.scipy.linalg.convolution_matrix": {"a": F1, "n": 3},
    "jax.scipy.linalg.dft": {"n": 3},
    "jax.scipy.linalg.funm": {"A": F2, "func": jnp.exp, "disp": True},
    "jax.scipy.linalg.hadamard": {"n": 4},
    "jax.scipy.linalg.helmert": {"n": 3},
    "jax.scipy.linalg.hilbert": {"n": 3},
    "jax.scipy.linalg.invhilbert": {"n": 3},
    "jax.scipy.linalg.invpascal": {"n": 3},
    "jax.scipy.linalg.leslie": {"f": F1, "s": np.array([0.5, 0.5], np.float32)},
    "jax.scipy.linalg.lu_solve": {"lu_and_piv": (F2, I1), "b": F1},
    "jax.scipy.linalg.pascal": {"n": 3},
    "jax.scipy.special.bessel_jn": {"z": F1, "v": 2},
    "jax.scipy.special.zeta": {"x": F1, "q": F1},
    "jax.scipy.ndimage.map_coordinates": {"input": F1, "coordinates": [F1], "order": 1},
    "jax.scipy.cluster.vq.vq": {"obs": F2, "code_book": F2},
    "jax.flatten_util.ravel_pytree": {"pytree": [F1, F1]},
}  # fmt: skip
# Where a string, or leaving an argument out, changes what comes back (flags are tried anyway).
VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    "jax.numpy.where": {"x absent": {}},
    "jax.numpy.linalg.qr": {"mode='r'": {"mode": "r"}},
    "jax.scipy.linalg.qr": {"mode='r'": {"mode": "r"}},
}
