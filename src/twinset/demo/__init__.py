"""The demo: learn the manuals of the installed packages, offline, and see what it is worth on other ones."""

from __future__ import annotations
