"""`python -m flake8_jax` is `flake8-jax`."""

from flake8_jax.driver.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
