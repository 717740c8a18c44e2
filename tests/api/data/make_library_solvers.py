"""Measures with which arguments solvers, samplers and operators run the function that they keep.

`python make_library_solvers.py` writes library_solvers.json: for each argument of the function whether a call had it
"traced", so that its truth raised, or what it was in all calls: "host", or "text" for what was passed as no array.  It
needs blackjax, diffrax, jaxopt, lineax, numpyro and optimistix; of one that is not installed the file stays as it is.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

RESULT = Path(__file__).parent / "library_solvers.json"
X = jnp.ones(3)
Seen = dict[str, list[str]]


class Watched:
    """A function that notes with what it is called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Watch a function."""
        self.function, self.seen = function, list[list[str]]()

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.function)

    def __call__(self, *args: Any) -> Any:
        """Note the arguments, and call it."""
        self.seen.append([word_of(one) for one in args])
        return self.function(*args)


def word_of(value: Any) -> str:
    """What an argument is."""
    if not isinstance(value, jax.core.Tracer):
        return "text" if isinstance(value, str) else "host"
    try:
        bool(jnp.all(value == 0))
    except jax.errors.TracerBoolConversionError:
        return "traced"
    return "host"


def of_diffrax(name: str, watched: Watched) -> None:
    """Solve an equation."""
    diffrax = import_module("diffrax")
    vector_field, saved = (lambda t, y, args: -y), diffrax.SaveAt(t1=True)
    term = diffrax.ODETerm(vector_field)
    if name == "ODETerm":
        term = diffrax.ODETerm(watched)
    elif name == "ControlTerm":
        path = diffrax.VirtualBrownianTree(0.0, 1.0, tol=0.1, shape=(3,), key=jax.random.key(0))
        watched.function = lambda t, y, args: jnp.ones((3, 3))
        term = diffrax.MultiTerm(term, diffrax.ControlTerm(watched, path))
    elif name == "SubSaveAt":
        saved = diffrax.SaveAt(subs=diffrax.SubSaveAt(t1=True, fn=watched))
    else:
        saved = diffrax.SaveAt(t1=True, fn=watched)
    diffrax.diffeqsolve(term, diffrax.Euler(), 0.0, 1.0, 0.5, X, args="text", saveat=saved)


def of_jaxopt(name: str, watched: Watched) -> None:
    """Run a solver."""
    jaxopt = import_module("jaxopt")
    watched.function = lambda p, data: jnp.sum((p - data) ** 2)
    if name in ("FixedPointIteration", "AndersonAcceleration"):
        watched.function = lambda p, data: 0.5 * p + data
    elif name in ("Broyden", "GaussNewton", "LevenbergMarquardt", "ScipyLeastSquares", "ScipyRootFinding"):
        watched.function = lambda p, data: p * 2 - data
    given: tuple[Any, ...] = (watched,)
    options: dict[str, Any] = {"maxiter": 3}
    if name == "ProjectedGradient":
        given = watched, jaxopt.projection.projection_non_negative
    elif name == "ProximalGradient":
        given = watched, lambda p, hyper, scale: p
    elif name == "OptaxSolver":
        given = watched, import_module("optax").adam(0.1)
    elif name == "Bisection":
        watched.function = lambda p, data: p - data[0]
        options |= {"lower": 0.0, "upper": 3.0}
    elif name.startswith("Scipy"):
        method = {"ScipyBoundedMinimize": "L-BFGS-B", "ScipyLeastSquares": "lm", "ScipyRootFinding": "hybr"}
        given, options = (method.get(name, "BFGS"),), {"fun": watched}
        if name == "ScipyRootFinding":
            options = {"optimality_fun": watched}
    elif name == "PolyakSGD":
        options["max_stepsize"] = 0.1
    solver = getattr(jaxopt, name)(*given, **options)
    if name == "Bisection":
        solver.run(None, X)
    elif name in ("LBFGSB", "ScipyBoundedMinimize"):
        solver.run(X, (X - 9, X + 9), X)
    elif name == "ProjectedGradient":
        solver.run(X, None, X)
    elif name == "ProximalGradient":
        solver.run(X, 1.0, X)
    else:
        solver.run(X, X)


def of_optimistix(name: str, watched: Watched) -> None:
    """Solve."""
    optimistix = import_module("optimistix")
    solver = {
        "fixed_point": lambda: optimistix.FixedPointIteration(0.1, 0.1),
        "least_squares": lambda: optimistix.LevenbergMarquardt(0.1, 0.1),
        "minimise": lambda: optimistix.BFGS(0.1, 0.1),
        "root_find": lambda: optimistix.Newton(0.1, 0.1),
    }[name]()
    if name == "minimise":
        watched.function = lambda y, args: jnp.sum(y**2)
    else:
        watched.function = lambda y, args: 0.5 * y - 0.1
    getattr(optimistix, name)(watched, solver, X, "text")


def of_lineax(name: str, watched: Watched) -> None:
    """Make an operator."""
    lineax = import_module("lineax")
    if name == "FunctionLinearOperator":
        watched.function = lambda x: 2 * x
        made = lineax.FunctionLinearOperator(watched, jax.eval_shape(lambda: X))
    else:
        watched.function = lambda x, args: 2 * x
        made = lineax.JacobianLinearOperator(watched, X, "text")
    lineax.linear_solve(made, X, solver=lineax.AutoLinearSolver(well_posed=True))


def of_blackjax(name: str, watched: Watched) -> None:
    """Make a step."""
    blackjax = import_module("blackjax")
    watched.function = lambda x: -jnp.sum(x**2)
    if name == "window_adaptation":
        blackjax.window_adaptation(blackjax.nuts, watched).run(jax.random.key(0), X, 5)
        return
    more = (3,) if name == "hmc" else ()
    sampler = getattr(blackjax, name)(watched, 0.1, jnp.ones(3), *more)
    sampler.step(jax.random.key(0), sampler.init(X))


def of_numpyro(name: str, watched: Watched) -> None:
    """Fit a model; what is noted is what it drew, and what it was given."""
    numpyro, infer = import_module("numpyro"), import_module("numpyro.infer")
    normal = numpyro.distributions.Normal(0.0, 1.0)

    def model(data: Any) -> None:
        drawn = numpyro.sample("x", normal)
        watched(drawn, data)
        numpyro.sample("y", numpyro.distributions.Normal(drawn, 1.0), obs=data)

    if name == "Predictive":
        infer.Predictive(model, num_samples=3)(jax.random.key(0), X)
        return
    if name == "SVI":
        guide = import_module("numpyro.infer.autoguide").AutoNormal(model)
        svi = infer.SVI(model, guide, numpyro.optim.Adam(0.1), infer.Trace_ELBO())
        svi.run(jax.random.key(0), 3, X, progress_bar=False)
        return
    fit = infer.MCMC(getattr(infer, name)(model), num_warmup=2, num_samples=2, progress_bar=False)
    fit.run(jax.random.key(0), X)


RUNS: dict[str, Callable[[str, Watched], None]] = {
    "blackjax": of_blackjax, "diffrax": of_diffrax, "jaxopt": of_jaxopt, "lineax": of_lineax,
    "numpyro.infer": of_numpyro, "optimistix": of_optimistix,
}  # fmt: skip
NAMES = {
    "blackjax": "hmc nuts window_adaptation",
    "diffrax": "ControlTerm ODETerm SaveAt SubSaveAt",
    "jaxopt": """AndersonAcceleration ArmijoSGD BFGS Bisection Broyden FixedPointIteration GaussNewton GradientDescent
    LBFGS LBFGSB LevenbergMarquardt NonlinearCG OptaxSolver PolyakSGD ProjectedGradient ProximalGradient
    ScipyBoundedMinimize ScipyLeastSquares ScipyMinimize ScipyRootFinding""",
    "lineax": "FunctionLinearOperator JacobianLinearOperator",
    "numpyro.infer": "BarkerMH HMC NUTS Predictive SA SVI",
    "optimistix": "fixed_point least_squares minimise root_find",
}


def measured(module: str, name: str) -> list[str]:
    """What a function was called with: "traced" where it was in any call."""
    watched = Watched(lambda *args: jnp.sum(args[0] ** 2))
    if module == "diffrax":
        watched.function = lambda t, y, args: -y
    RUNS[module](name, watched)
    calls = list(zip(*watched.seen))
    return ["traced" if "traced" in words else words[-1] for words in calls]


def main() -> None:
    """Write the file."""
    found: Seen = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    for module, names in NAMES.items():
        if find_spec(module.partition(".")[0]) is not None:
            found |= {f"{module}.{name}": measured(module, name) for name in names.split()}
    lines = ",\n".join(f'"{name}": {json.dumps(words)}' for name, words in sorted(found.items()))
    RESULT.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
