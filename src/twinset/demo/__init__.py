"""The demo: a first story that runs on any machine in a minute, told as it comes out."""

from __future__ import annotations
