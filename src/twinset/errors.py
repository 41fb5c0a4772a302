"""The errors twinset raises on purpose. Each says what is wrong, where, and what to do.

The command line turns them into one line on stderr and an exit code: a `RequestError` (what was asked
for cannot be) ends with 2, a `WorkError` (the work began and failed) with 1.
"""

from __future__ import annotations


class TwinsetError(Exception):
    """Anything twinset raises on purpose."""

    exit_code = 1


class RequestError(TwinsetError):
    """What was asked for cannot be done as asked: a bad argument, file or field."""

    exit_code = 2


class DataError(RequestError):
    """A data file is not what was expected. The message names the file, the line or row, and the field."""


class RecipeError(RequestError):
    """A recipe or a run file has a field that cannot be. The message names the field."""


class ModelError(RequestError):
    """A model folder or hub id cannot be used as an encoder."""


class WorkError(TwinsetError):
    """The work was well asked for and failed on the way: disk full, loss not a number, interrupted."""
