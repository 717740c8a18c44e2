"""The thread that judges: what is asked of it is done one after the other, the most urgent first.

What is not wanted any more when its turn comes, such as the judgement of a text that was edited since, is not done.
"""

from __future__ import annotations

import gc
import heapq
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Generic, TypeVar

WorkerResult = TypeVar("WorkerResult")

STACK = 64 << 20
"""The bytes of the stack of the thread: that of a thread is smaller than the main one's on some systems."""

IDLE, MANY = 1.0, 100
"""After how many seconds without a task garbage is looked for, and after how many tasks again."""

YOUNG, MOST_YOUNG = 300_000, 3_000_000
"""How many new objects are looked through for garbage when nothing is asked, and how many at the latest.  Python itself
would look through all there are, in the midst of an answer.
"""

ANSWER, SAVE, EDIT, BACKGROUND = range(4)
"""How urgent something is: somebody waits for an answer; what was saved counts for what is judged next."""


class QueuedTask(Generic[WorkerResult]):
    """Something to be done, and what comes of it."""

    __slots__ = ("future", "is_wanted", "run")

    def __init__(self, run: Callable[[], WorkerResult], is_wanted: Callable[[], bool]) -> None:
        self.run = run
        self.is_wanted = is_wanted
        self.future: Future[WorkerResult] = Future()

    def do(self) -> None:
        """Do it, if it is still wanted; what it raises is told to who asked."""
        if not self.is_wanted():
            self.future.cancel()
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.run()
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class JudgingThread:
    """A thread that does tasks until the process ends; `renew` lets go what is old when nothing is asked."""

    __slots__ = ("_count", "_ready", "_renew", "_tidied", "_waiting")

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._ready = threading.Condition()
        self._waiting: list[tuple[int, int, QueuedTask[object]]] = []
        self._count = self._tidied = 0
        gc.disable()
        before = threading.stack_size()
        with suppress(ValueError, RuntimeError):
            threading.stack_size(STACK)
        try:
            threading.Thread(target=self._work, name="judging", daemon=True).start()
        finally:
            threading.stack_size(before)

    def ask(
        self, urgency: int, run: Callable[[], WorkerResult], is_wanted: Callable[[], bool] = lambda: True
    ) -> Future[WorkerResult]:
        """Have something done, and return what will come of it; cancelled if it is not wanted when its turn comes."""
        task = QueuedTask(run, is_wanted)
        with self._ready:
            self._count += 1
            heapq.heappush(self._waiting, (urgency, self._count, task))  # type: ignore[misc]
            self._ready.notify()
        return task.future

    def _work(self) -> None:
        while True:
            with self._ready:
                while not self._waiting:
                    if not self._ready.wait(IDLE if self._is_untidy() or _young() > YOUNG else None):
                        self._tidy()
                _, _, task = heapq.heappop(self._waiting)
            task.do()
            del task
            if _young() > MOST_YOUNG:
                gc.collect(1)

    def _is_untidy(self) -> bool:
        return self._count > (self._tidied + MANY if self._tidied else 0)

    def _tidy(self) -> None:
        """Look for garbage, then leave what remains alone: the state of a project is large, and lives long."""
        if not self._is_untidy():
            gc.collect(1)
            return
        self._tidied = self._count
        self._renew()
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def _young() -> int:
    return gc.get_count()[0]
