"""The view ``standing_verdicts``: what stands for every point, for people who use SQL.

It says what ``grader.archive.standing`` says, and a test holds it to that.
What follows from an answer's own errors is left out: SQL can't work that out.

A migration is frozen once released: it spells its view out and imports
nothing of today's. One that changes a column read here has to drop the view first.
"""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the view; nothing that is there changes."""
    op.execute(_VIEW.format(**_SPELT[op.get_bind().dialect.name]))


_SPELT = {
    "sqlite": {
        "engine_keys": "json_each(last.engines) AS listed",
        "located": "json_type(engines.versions, '$.locator') IS NOT NULL",
        "fact": "json_type(engines.versions, '$.fact') IS NOT NULL",
        "no": "0",
    },
    "postgresql": {
        "engine_keys": "json_array_elements_text(last.engines) AS listed(value)",
        "located": "engines.versions -> 'locator' IS NOT NULL",
        "fact": "engines.versions -> 'fact' IS NOT NULL",
        "no": "false",
    },
}
"""What the databases spell differently."""

_VIEW = """
CREATE VIEW standing_verdicts AS
-- under what each run was graded last
WITH last AS (
    SELECT id, run_id, set_digest, engines, card FROM gradings
    WHERE id IN (SELECT max(id) FROM gradings GROUP BY run_id)
),
-- the engines whose findings count there
trusted AS (
    SELECT last.id AS grading_id, engines.key, {located} AS located
    FROM last CROSS JOIN {engine_keys} JOIN engines ON engines.key = listed.value
    WHERE NOT ({fact})
),
-- what people said; the last word of each has age 1
said AS (
    SELECT id, response_digest, sub_id, point_id, point_hash, answer_hash, award, award_follow, adjudicated,
        row_number() OVER (
            PARTITION BY response_digest, sub_id, point_id, point_hash, answer_hash, "by" ORDER BY id DESC
        ) AS age
    FROM verdicts WHERE track = 'human'
),
people AS (
    SELECT response_digest, sub_id, point_id, point_hash, answer_hash,
        max(CASE WHEN adjudicated THEN id END) AS adjudicated_id,
        max(CASE WHEN age = 1 AND award IS NOT NULL THEN id END) AS decided_id,
        max(id) AS last_id,
        max(CASE WHEN age = 1 THEN award END) <> min(CASE WHEN age = 1 THEN award END)
        OR max(CASE WHEN age = 1 THEN coalesce(award_follow, award) END)
        <> min(CASE WHEN age = 1 THEN coalesce(award_follow, award) END) AS differ
    FROM said
    GROUP BY response_digest, sub_id, point_id, point_hash, answer_hash
),
nodes AS (
    SELECT runs.name AS run, runs.digest AS run_digest, last.id AS grading_id, last.card,
        responses.digest AS response_digest, responses.model, responses.protocol, responses.mode,
        responses.problem_id, responses.sample, responses.error,
        answers.sub_id, answers.answer_hash, problem_points.point_id, problem_points.point_hash, points.shape
    FROM last
    JOIN runs ON runs.id = last.run_id
    JOIN run_responses ON run_responses.run_id = last.run_id
    JOIN responses ON responses.digest = run_responses.response_digest
    JOIN answers ON answers.response_digest = responses.digest
    JOIN set_problems ON set_problems.set_digest = last.set_digest
    JOIN problems ON problems.hash = set_problems.problem_hash AND problems.problem_id = responses.problem_id
    JOIN problem_points
        ON problem_points.problem_hash = problems.hash AND problem_points.sub_id = answers.sub_id
    JOIN points ON points.point_hash = problem_points.point_hash
    WHERE NOT EXISTS (
        SELECT 1 FROM answers AS newer
        WHERE newer.response_digest = answers.response_digest AND newer.sub_id = answers.sub_id
            AND newer.revision > answers.revision
    )
),
-- whose word stands, in the order of grader.archive.standing
candidates AS (
    SELECT nodes.*,
        direct.id AS direct_id, located.id AS located_id, mark.id AS mark_id, judge.id AS judge_id,
        CASE
            WHEN nodes.error IS NOT NULL THEN 'call_failed'
            WHEN mark.adjudicated THEN 'mark'
            WHEN people.differ THEN 'marks_disagree'
            WHEN mark.award IS NOT NULL THEN 'mark'
            WHEN direct.award IS NOT NULL THEN 'direct'
            WHEN located.award IS NOT NULL THEN 'located'
            WHEN judge.award IS NOT NULL THEN 'judge'
            WHEN mark.id IS NOT NULL THEN 'mark'
            WHEN judge.id IS NOT NULL THEN 'judge'
            WHEN direct.id IS NOT NULL THEN 'direct'
            ELSE 'unjudged'
        END AS stands
    FROM nodes
    LEFT JOIN findings AS direct ON direct.id = (
        SELECT max(findings.id) FROM findings
        WHERE findings.point_hash = nodes.point_hash AND findings.answer_hash = nodes.answer_hash
            AND findings.engine IN (
                SELECT key FROM trusted WHERE grading_id = nodes.grading_id AND NOT located
            )
    )
    LEFT JOIN findings AS located ON located.id = (
        SELECT max(findings.id) FROM findings
        WHERE findings.point_hash = nodes.point_hash AND findings.answer_hash = nodes.answer_hash
            AND findings.engine IN (
                SELECT key FROM trusted WHERE grading_id = nodes.grading_id AND located
            )
    )
    LEFT JOIN people
        ON people.response_digest = nodes.response_digest AND people.sub_id = nodes.sub_id
        AND people.point_id = nodes.point_id AND people.point_hash = nodes.point_hash
        AND people.answer_hash = nodes.answer_hash
    LEFT JOIN verdicts AS mark ON mark.id = coalesce(people.adjudicated_id, people.decided_id, people.last_id)
    LEFT JOIN verdicts AS judge ON judge.id = (
        SELECT max(verdicts.id) FROM verdicts
        WHERE verdicts.response_digest = nodes.response_digest AND verdicts.sub_id = nodes.sub_id
            AND verdicts.point_id = nodes.point_id AND verdicts.point_hash = nodes.point_hash
            AND verdicts.answer_hash = nodes.answer_hash
            AND (
                verdicts."by" = 'judge:' || nodes.card
                OR substr(verdicts."by", 1, length(nodes.card) + 7) = 'judge:' || nodes.card || '@'
            )
    )
)
SELECT candidates.run, candidates.run_digest, candidates.model, candidates.protocol, candidates.mode,
    candidates.problem_id, candidates.sub_id, candidates.sample, candidates.response_digest,
    candidates.point_id, candidates.shape,
    coalesce(finding.status, verdict.status, 'undetermined') AS status,
    coalesce(finding.award, verdict.award) AS award,
    CASE
        WHEN candidates.stands = 'located' THEN 'located'
        WHEN candidates.stands = 'direct' THEN 'formal'
        ELSE verdict.track
    END AS track,
    coalesce(engines."by", verdict."by") AS "by",
    CASE
        WHEN candidates.stands IN ('call_failed', 'marks_disagree', 'unjudged') THEN candidates.stands
        ELSE coalesce(finding.reason, verdict.reason)
    END AS reason,
    coalesce(finding.confidence, verdict.confidence) AS confidence,
    coalesce(verdict.provisional, {no}) AS provisional
FROM candidates
LEFT JOIN findings AS finding ON finding.id = CASE candidates.stands
    WHEN 'direct' THEN candidates.direct_id WHEN 'located' THEN candidates.located_id
END
LEFT JOIN engines ON engines.key = finding.engine
LEFT JOIN verdicts AS verdict ON verdict.id = CASE candidates.stands
    WHEN 'mark' THEN candidates.mark_id WHEN 'judge' THEN candidates.judge_id
END
"""
