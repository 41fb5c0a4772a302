"""Recipes by the name of their paper, and run files: a recipe, data and a seed as one TOML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from twinset.recipes.consert import consert
from twinset.recipes.runfile import RunFile, TrainingData, parse_recipe, parse_run_file, read_run_file
from twinset.recipes.setting import SETTINGS, Setting
from twinset.recipes.simcse import simcse
from twinset.recipes.write import to_toml
from twinset.training.recipe import Recipe

RECIPES: Mapping[str, Callable[[Setting], Recipe]] = MappingProxyType({"consert": consert, "simcse": simcse})
"""The recipes by the names they have on the command line."""

__all__ = [
    "RECIPES",
    "SETTINGS",
    "RunFile",
    "Setting",
    "TrainingData",
    "consert",
    "parse_recipe",
    "parse_run_file",
    "read_run_file",
    "simcse",
    "to_toml",
]
