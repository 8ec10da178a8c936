"""A client of Sightline, the self-hosted social account intelligence service."""

from __future__ import annotations

from . import models
from ._async import AsyncItems
from ._core import Answer, BudgetError, ConnectionFailed, Overage, Quota, SightlineError, Usage
from ._or_none import or_none
from ._sync import Items
from .client import AsyncRawSightline, AsyncSightline, RawSightline, Sightline
from .models import ErrorCode

__all__ = [
    "Answer",
    "AsyncItems",
    "AsyncRawSightline",
    "AsyncSightline",
    "BudgetError",
    "ConnectionFailed",
    "ErrorCode",
    "Items",
    "Overage",
    "Quota",
    "RawSightline",
    "Sightline",
    "SightlineError",
    "Usage",
    "models",
    "or_none",
]
