"""Every kind of check has one implementation, or none and says so."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.problem.checks import KINDS, Check, CheckModel, IntegerCheck
from grader.record import Reason

MODELS = {get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(get_args(Check)[0])}


def test_the_kinds_are_those_of_the_option_models():
    assert tuple(MODELS) == KINDS


def test_every_implementation_is_for_one_kind_and_signs_with_its_version():
    modules = [import_module(one.module) for one in registry.IMPLEMENTED.values()]
    assert set(registry.IMPLEMENTED) <= set(KINDS)
    assert len({module.__name__ for module in modules}) == len(modules)
    for kind, module in zip(registry.IMPLEMENTED, modules, strict=True):
        assert registry.by(kind) == module.BY
        assert callable(module.decide)


@pytest.mark.parametrize("kind", sorted(registry.IMPLEMENTED))
def test_an_engine_names_the_versions_of_its_libraries(kind):
    libraries = registry.libraries(kind)
    assert set(libraries) == set(registry.IMPLEMENTED[kind].libraries)
    assert all(libraries.values())


def test_a_kind_without_code_is_undetermined():
    finding = registry.decide(CheckModel(kind="riddle"), Answer("Td"))
    assert (finding.award, finding.reason, finding.by) == (None, Reason.UNSUPPORTED, "formal:riddle@0")


def test_a_kind_with_code_decides():
    assert registry.decide(IntegerCheck(kind="integer", expected=4), Answer("There are 4.")).award == 1
