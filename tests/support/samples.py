"""Real match and position files to try readers on, in the folder that BARPOINT_SAMPLES names. None is in the repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

SAMPLES: Final = Path(os.environ.get("BARPOINT_SAMPLES") or "no samples")
"""The folder; one that does not exist where the variable is not set."""

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="BARPOINT_SAMPLES names no folder of real files")


def sample_files(pattern: str) -> list[Path]:
    """The files below the folder that match a pattern such as "mat/*"; empty where there is none."""
    return sorted(path for path in SAMPLES.glob(pattern) if path.is_file()) if SAMPLES.is_dir() else []
