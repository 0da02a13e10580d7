"""Simulated model providers, started from Python and scripted over HTTP."""

from .client import ControlError, Simulators, UnmetScripts, Upstream

__all__ = ["ControlError", "Simulators", "UnmetScripts", "Upstream"]
