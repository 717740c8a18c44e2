"""Lexical name resolution: every name is resolved once, by scope, to its binding.

Lowering notes every store where it meets it; reads are resolved once the whole file is known.

    import jax.numpy as np          # module scope: np -> import jax.numpy
    def f(x):                       # function scope: x is a parameter
        return [np.sin(v) for v in x]   # comprehension scope: v; np found two scopes up
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, field

ScopeKind: TypeAlias = Literal["module", "class", "function", "comprehension", "types"]


@dataclass(slots=True, eq=False)
class Binding:
    """A name in its owning scope; `owner` is None for builtins and unbound names.

    `imported` is the dotted name that it stands for if nothing but imports of that name bind it, with
    the dots of a relative import in front (`from ..a import b` binds b to "..a.b").
    """

    name: str
    owner: Scope | None
    stores: int = 0
    imported: str | None = None
    is_parameter: bool = False

    @property
    def is_rebound(self) -> bool:
        """Is it bound in several places, other than by the same import each time?"""
        return self.stores > 1 and self.imported is None


@dataclass(slots=True, eq=False)
class Scope:
    """The names bound by a module, class body, function, comprehension or list of type parameters.

    `stars` are the modules star-imported here; `exports` is `__all__` where it is a literal.
    `frame` is the nearest enclosing scope that is neither a comprehension nor type parameters: where its locals
    live at run time.  `imports` has the names that are bound by imports alone, by what these import.
    """

    kind: ScopeKind
    parent: Scope | None
    names: dict[str, Binding] = field(default_factory=dict)
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    stars: list[str] = field(default_factory=list)
    exports: tuple[str, ...] | None = None
    resolved: dict[str, Binding] = field(default_factory=dict)
    imports: dict[str, list[str]] | None = None

    @property
    def frame(self) -> Scope:
        """The scope whose run-time frame holds this scope's locals."""
        scope = self
        while scope.kind in ("comprehension", "types") and scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def bind(self, name: str, imported: str | None = None, is_parameter: bool = False) -> Binding:
        """Record a binding of `name` here, or in the scope named by global or nonlocal."""
        owner = self._owner_of_store(name) if self.globals or self.nonlocals else self
        binding = owner.names.get(name)
        if binding is None:
            binding = owner.names[name] = Binding(name, owner, 0, imported, is_parameter)
        elif binding.imported != imported:
            binding.imported = None
        binding.stores += 1
        return binding

    def declare(self, name: str) -> Binding:
        """Record `name` as local to this scope without a store (`name: int`, `del name`)."""
        binding = self.bind(name)
        binding.stores -= 1
        return binding

    def lookup(self, name: str) -> Binding:
        """The binding of `name` as read here.  Valid only once the whole file is lowered."""
        found = self.resolved.get(name)
        if found is None:
            found = self.resolved[name] = self._search(name)
        return found

    def importing(self, dotted: str) -> list[str]:
        """The names that only imports of this dotted name bind here.  Valid only once the whole file is lowered."""
        if self.imports is None:
            self.imports = {}
            for name, binding in self.names.items():
                if binding.imported:
                    self.imports.setdefault(binding.imported, []).append(name)
        return self.imports.get(dotted, [])

    def _owner_of_store(self, name: str) -> Scope:
        if name in self.globals:
            return self.module
        if name in self.nonlocals:
            scope = self.parent
            while scope is not None and scope.parent is not None:
                if scope.kind == "function" and name in scope.names:
                    return scope
                scope = scope.parent
        return self

    def _search(self, name: str) -> Binding:
        if name in self.globals:
            return self.module.lookup(name)
        scope: Scope | None = self if name not in self.nonlocals else self.parent
        sees_class = name not in self.nonlocals
        while scope is not None:
            if scope.kind != "class" or sees_class:
                if name in scope.names:
                    return scope.names[name]
                if name in scope.globals:
                    return self.module.lookup(name)
            sees_class = sees_class and scope.kind == "types"
            scope = scope.parent
        return Binding(name, None)
