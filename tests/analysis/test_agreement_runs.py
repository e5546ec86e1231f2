"""The values that were on one device in every run that ended: queries about short functions."""

from __future__ import annotations

import ast

import pytest

from placefix.facts.program.ast_walk import walk
from placefix.rules.cuda.device_agreement import DeviceAgreement
from placefix.rules.cuda.use_sites import CudaSites
from placefix.rules.registry import context_of
from placefix.settings import Settings
from placefix.source import Source
