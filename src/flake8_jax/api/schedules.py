"""Which functions of libraries take schedules, and for which parameters."""

SCHEDULED = frozenset(f"optax.{name}" for name in (
    "adabelief", "adadelta", "adafactor", "adagrad", "adam", "adamax", "adamaxw", "adamw", "adan", "amsgrad", "fromage",
    "lamb", "lars", "lion", "nadam", "nadamw", "noisy_sgd", "novograd", "optimistic_adam",
    "optimistic_gradient_descent", "radam", "rmsprop", "rprop", "scale_by_learning_rate", "scale_by_schedule", "sgd",
    "sign_sgd", "sm3", "yogi",
))  # fmt: skip
"""The functions of optax whose first parameter may be a schedule."""

PARAMETERS = frozenset(("learning_rate", "step_size_fn"))
INJECTING = "optax.inject_hyperparams"
OPTIMIZER = "optax.GradientTransformation"

WITHOUT_ARRAYS = frozenset((OPTIMIZER, "optax.MultiSteps"))
"""The classes of objects that hold functions and numbers alone."""
