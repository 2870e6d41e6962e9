"""All scores of an archive as one sample: what machine's marks are worth over all that was graded."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.errors import AuditError
from grader.stats.checked.reading import Checked
from grader.stats.checked.samples import sample_of
from grader.stats.correction.sample import Sample
from grader.stats.reading import Cell


def samples_by_cell(checked: Checked) -> tuple[dict[Cell, Sample], dict[Cell, AuditError]]:
    """The sample of each model, protocol and mode, and why there is none of the others."""
    samples: dict[Cell, Sample] = {}
    refused: dict[Cell, AuditError] = {}
    for cell in checked.cells:
        try:
            samples[cell] = sample_of(checked, *cell)
        except AuditError as error:
            refused[cell] = error
    return samples, refused


def pooled(checked: Checked, samples: Mapping[Cell, Sample]) -> Sample:
    """Samples of cells as one, problems by their ids over all of them; at least one sample."""
    names = {name: place for place, name in enumerate(sorted(checked.answers["problem_id"].unique()))}
    full, rest = np.zeros(len(names)), np.zeros(len(names))
    problems = []
    for cell, sample in samples.items():
        own = sorted(checked.answers.take(checked.cells[cell][0])["problem_id"].unique())
        places = np.array([names[name] for name in own], dtype=np.intp)
        np.add.at(full, places, sample.full)
        np.add.at(rest, places, sample.rest)
        problems.append(places[sample.problem])
    several = list(samples.values())
    worths = [np.ones(len(one.graded)) if one.worth is None else one.worth for one in several]
    return Sample(
        graded=np.concatenate([one.graded for one in several]),
        marked=np.concatenate([one.marked for one in several]),
        probability=np.concatenate([one.probability for one in several]),
        problem=np.concatenate(problems),
        full=full,
        rest=rest,
        disagrees=np.concatenate([one.disagrees for one in several]),
        worth=np.concatenate(worths),
    )
