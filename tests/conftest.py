"""Hypothesis settings shared by all tests: reproducible, and never a matter of time."""

from hypothesis import settings

settings.register_profile("pickomino", deadline=None, derandomize=True, database=None)
settings.load_profile("pickomino")
