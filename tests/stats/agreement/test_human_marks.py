"""Real marks of people and judges: every reference value of expected.json, and none left out."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from grader.stats.agreement import coefficients
from grader.stats.agreement.rates import clustered_se, independent_se, share
from grader.stats.agreement.ratings import reference
from grader.stats.agreement.repeats import repeats
from grader.stats.calibration import ece, losses, width_bins
from grader.stats.flips import mcnemar
from tests.stats.agreement.textbook import ppi, rogan_gladen, tuned_power


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def repeated(runs, problem):
    found = repeats(runs, problem)
    assert found is not None
    return found


class Answers:
    """480 short answers, three people, sixteen judges."""

    def __init__(self, rows):
        self.rows = rows

    @cached_property
    def human(self):
        return np.array([row["human"] for row in self.rows], float)

    @cached_property
    def majority(self):
        return reference(self.human).verdict

    @cached_property
    def problem(self):
        return np.unique([row["problem"] for row in self.rows], return_inverse=True)[1]

    def judge(self, name):
        return np.array([row["judges"][name] for row in self.rows], float)

    @property
    def labelled(self):
        return np.array([int(row["id"][-3:]) % 5 == 0 for row in self.rows])


def whole(answers):
    human = answers.human
    pairs = coefficients.pairwise_kappa(human)
    return {
        "n_answers": len(answers.rows),
        "n_problems": len(set(answers.problem)),
        "human": {
            "fleiss_kappa": coefficients.fleiss_kappa(human),
            "krippendorff_alpha_nominal": coefficients.krippendorff_alpha(human),
            "gwet_ac1": coefficients.gwet_ac1(human),
            "mean_human_majority": answers.majority.mean(),
            "unanimous_fraction": (human == human[:, :1]).all(axis=1).mean(),
            "cohen_kappa_pairs": {f"{one + 1}-{two + 1}": kappa for (one, two), kappa in pairs.items()},
        },
        "judges": {name: judged(answers, name) for name in answers.rows[0]["judges"]},
        "mcnemar_correctness_gpt-4o|full_vs_llama-3.1-8b|full_run1": compared(answers),
    }


def judged(answers, name):
    runs = answers.judge(name)
    held = ~np.isnan(runs[:, 0])
    first, people, problem = runs[held, 0], answers.majority[held], answers.problem[held]
    right = share(int((first == people).sum()), len(first))
    apart = first - people
    again = repeated(runs, answers.problem)
    return {
        "n_missing_run1": int((~held).sum()),
        "n_rows_any_missing": again.incomplete,
        "accuracy": right.value,
        "accuracy_wilson95": [right.low, right.high],
        "cohen_kappa_vs_majority": coefficients.cohen_kappa(first, people),
        "mcc": coefficients.mcc(first, people),
        "sensitivity": first[people == 1].mean(),
        "specificity": 1 - first[people == 0].mean(),
        "mean_judge": first.mean(),
        "leniency_mean_judge_minus_human": apart.mean(),
        "leniency_se_iid": independent_se(apart),
        "leniency_se_cluster_by_problem_CR1": clustered_se(apart, problem),
        "test_retest": {
            "n": again.items - again.incomplete,
            "all_three_equal_fraction": again.complete_equal,
            "fleiss_kappa": again.fleiss.value,
            "krippendorff_alpha_nominal": again.alpha,
        },
        "labelled_every_fifth_id": partly_labelled(first, people, answers.labelled[held]),
    }


def partly_labelled(first, people, labelled):
    marked, graded, unmarked = people[labelled], first[labelled], first[~labelled]
    found = {
        name: dict(zip(("point", "ci95_iid_normal"), ppi(marked, graded, unmarked, power), strict=True))
        for name, power in (("ppi_lam1", 1.0), ("ppi_tuned", tuned_power(marked, graded, unmarked)))
    }
    sensitivity, specificity = graded[marked == 1].mean(), 1 - graded[marked == 0].mean()
    return {
        "n_labelled": int(labelled.sum()),
        "n_unlabelled": int((~labelled).sum()),
        "human_only_mean": marked.mean(),
        **found,
        "rogan_gladen": {
            "sens": sensitivity,
            "spec": specificity,
            "p_obs_unlabelled": unmarked.mean(),
            "point_clipped": rogan_gladen(unmarked.mean(), sensitivity, specificity),
        },
    }


def compared(answers):
    one, two = (
        answers.judge(name)[:, 0] == answers.majority for name in ("gpt-4o|full", "llama-3.1-8b|full")
    )
    first, second = (int(alone.sum()) for alone in (one & ~two, two & ~one))
    return {
        "table": [[int((one & two).sum()), first], [second, int((~one & ~two).sum())]],
        "statistic": min(first, second),
        "pvalue_exact": mcnemar(first, second),
    }


def explained(rows):
    """49 explanations, three points each, two people, eight judges, five repeats of one."""
    one, two = (np.array([row[key] for row in rows], float) for key in ("human1", "human2"))
    runs = np.array([row["runs"] for row in rows], float).transpose(0, 2, 1).reshape(-1, 5)
    again = repeated(runs, np.arange(len(runs)))
    met = runs.mean(axis=1)
    voted, sure = (met > 0.5).astype(float), np.maximum(met, 1 - met)
    return {
        "n_answers": len(rows),
        "n_points": one.shape[1],
        "human1_vs_human2": both(one, two),
        "mean_score_human1": one.mean(),
        "mean_score_human2": two.mean(),
        "judges": {name: graded(rows, name, one, two) for name in rows[0]["judges"]},
        "self_consistency_5_runs": {
            "of": rows[0].get("runs_of", "gpt-4o|detailed_compare"),
            "point_all_equal_fraction": again.all_equal.value,
            "fleiss_kappa_points": again.fleiss.value,
            "brier_p_met_vs_human1": losses(met, one.ravel()).mean(),
            "ece10_equal_width_right_closed_of_majority_confidence": ece(
                sure, voted == one.ravel(), np.ones(len(sure)), width_bins(sure)
            ),
            "majority_accuracy_vs_human1": (voted == one.ravel()).mean(),
        },
    }


def both(one, two):
    pooled = np.column_stack([one.ravel(), two.ravel()])
    totals = np.column_stack([one.sum(axis=1), two.sum(axis=1)])
    return {
        "per_point_cohen_kappa": [coefficients.cohen_kappa(one[:, n], two[:, n]) for n in range(3)],
        "pooled_point_cohen_kappa": coefficients.cohen_kappa(*pooled.T),
        "pooled_point_alpha_nominal": coefficients.krippendorff_alpha(pooled),
        "pooled_point_gwet_ac1": coefficients.gwet_ac1(pooled),
        "total_qwk": coefficients.quadratic_kappa(*totals.T),
        "total_alpha_ordinal": coefficients.krippendorff_alpha(totals, "ordinal"),
        "total_alpha_interval": coefficients.krippendorff_alpha(totals, "interval"),
        "exact_vector_match": (one == two).all(axis=1).mean(),
    }


def graded(rows, name, one, two):
    judge = np.array([row["judges"][name] for row in rows], float)
    return {
        "n": len(judge),
        "pooled_kappa_vs_human1": coefficients.cohen_kappa(judge.ravel(), one.ravel()),
        "pooled_kappa_vs_human2": coefficients.cohen_kappa(judge.ravel(), two.ravel()),
        "total_qwk_vs_human1": coefficients.quadratic_kappa(judge.sum(axis=1), one.sum(axis=1)),
        "leniency_vs_mean_human": (
            judge - reference(np.column_stack([one.ravel(), two.ravel()])).value.reshape(one.shape)
        ).mean(),
    }


def rolled(tree):
    """The weighted rubric tree, rolled up."""
    leaves: list[Any] = []
    scores: dict[str, list[int]] = {}

    def score(node, depth):
        if "children" not in node:
            leaves.append((node, depth))
            return node["human"]
        weights = [child["weight"] for child in node["children"]]
        return float(np.average([score(child, depth + 1) for child in node["children"]], weights=weights))

    root = score(tree["tree"], 0)
    for leaf, _ in leaves:
        met = scores.setdefault(leaf["category"], [0, 0])
        met[0] += int(leaf["human"])
        met[1] += 1
    return {
        "n_leaves": len(leaves),
        "max_depth": max(depth for _, depth in leaves),
        "leaves_met_fraction": np.mean([leaf["human"] for leaf, _ in leaves]),
        "root_score_weighted_rollup": root,
        "root_score_as_published": tree["root_score_as_published"],
        "by_category_met": scores,
    }


def flat(value, path=""):
    """Every value of a document by its path."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, (list, tuple)):
        pairs = list(enumerate(value))
    else:
        return {path: value}
    return {key: one for name, inner in pairs for key, one in flat(inner, f"{path}/{name}").items()}


def test_every_reference_value(shared):
    folder = shared / "seeds" / "human-marks"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    tolerance = expected.pop("tolerance")
    assert expected.pop("software")
    found = {
        "saq": whole(Answers(lines(folder / "saq_marks.jsonl"))),
        "physics": {"phys-q1": explained(lines(folder / "physics_marks.jsonl"))},
        "rubric_tree": rolled(json.loads((folder / "rubric_tree.json").read_text(encoding="utf-8"))),
    }
    wanted, given = flat(expected), flat(found)
    assert set(wanted) == set(given)
    assert len(wanted) > 550
    wrong = {
        path: (value, given[path])
        for path, value in wanted.items()
        if given[path] != (value if isinstance(value, str) else pytest.approx(value, abs=tolerance))
    }
    assert wrong == {}
