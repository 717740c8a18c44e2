"""BLAKE2 of the standard library, without OpenSSL: `hashlib` loads that for its other digests, which takes 4 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["blake2b"]

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b
