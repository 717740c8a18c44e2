"""Grids."""

import numpy as np

LATITUDES = np.linspace(-90.0, 90.0, 5)
