"""What goes wrong in a job on many machines."""

from __future__ import annotations


class StepError(RuntimeError):
    """A step that the program refuses, with its message.

    The source changed, another version, a full disk, bad input: the same step would fail again, so it is not tried again. What
    was made is kept; the same call does the rest.

    Parameters
    ----------
    step : str
        Which step.
    host : str
        On which machine.
    exit_code : int
        Of the program; negative: the signal that killed it.
    message : str
        Its message.

    Examples
    --------
    >>> import tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from inkling import cluster
    >>> with ThreadPoolExecutor(1) as executor:
    ...     try:
    ...         _ = cluster.build("not-there.txt", tempfile.mkdtemp(), executor)
    ...     except cluster.StepError as error:
    ...         print(error.step, "gave exit code", error.exit_code)
    plan 0 gave exit code 4
    """

    def __init__(self, step: str, host: str, exit_code: int, message: str) -> None:
        super().__init__(step, host, exit_code, message)
        self.step = step
        self.host = host
        self.exit_code = exit_code  # of the program; negative: the signal that killed it
        self.message = message

    @property
    def was_killed(self) -> bool:
        """Whether a signal ended the program."""
        return self.exit_code < 0

    def __str__(self) -> str:
        what = f"killed by signal {-self.exit_code}" if self.was_killed else f"exit code {self.exit_code}"
        return f"{self.step} on {self.host}: {what}: {self.message or 'it printed nothing'}"


class WorkerLostError(RuntimeError):
    """The executor ended, because workers died. What was made is kept; the same call does what is missing.

    Examples
    --------
    >>> import tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from inkling import cluster
    >>> executor = ThreadPoolExecutor(1)
    >>> executor.shutdown()
    >>> try:
    ...     _ = cluster.build("notes.txt", tempfile.mkdtemp(), executor)
    ... except cluster.WorkerLostError as error:
    ...     print(str(error).split(". ")[0])
    RuntimeError: cannot schedule new futures after shutdown
    """
