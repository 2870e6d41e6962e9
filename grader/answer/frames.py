"""Statements that a response only reports: what others think, what tempts, what would hold elsewhere."""

from __future__ import annotations

import re

from grader.answer.guard import may_match, stems


def any_of(phrases: str) -> str:
    """An alternation of phrases, separated by commas."""
    each = (" ".join(phrase.split()) for phrase in phrases.split(","))
    return "(?:" + "|".join(phrase for phrase in each if phrase) + ")"


_WITHIN = r"(?:(?!,\sbut\b)[^.;:\n]|\.(?=\d)){0,60}$"
"""What may stand between a frame and what it frames."""
_DIRECTLY = (
    r"(?:(?!\b(?:so|and|but|hence|thus|then|therefore|giving|which|where|with|from)\b)[^.,;:\n]|[.,](?=\d))"
    r"{0,60}$"
)
"""What may stand between a source and the value it states: nothing that could conclude from it."""
_SAY = any_of(
    """say, says, said, think, thinks, answer, answers, believe, believes, assume, assumes, expect, expects,
    guess, guesses, claim, claims, write, writes, argue, argues, pick, picks, choose, chooses, select,
    selects, conclude, concludes, call, mark, marks, go for, opt for, put, state, states, suggest, suggests,
    chose, picked, thought, answered, guessed, believed, wrote, claimed, argued, assumed, insists?(?: on)?,
    insisted(?: on)?, maintains?, maintained, swears?, reckons?"""
)
_GUESS = any_of("think, answer, believe, assume, expect, guess, claim")
_SPEAKING = any_of("saying, answering, thinking, writing, claiming, choosing, picking, assuming, believing")
_LURES = any_of(r"obvious, naive, na\u00efve, intuitive, tempting, popular, knee-jerk, common, superficial")
_CHOICES = any_of("answer, choice, option, guess, response, pick, idea, assumption, reply")
_PEOPLE = r"""(?:lab |study |bench )?(?:partner|neighbou?r|mate)s?, room-?mates?, tutors?, supervisors?,
    professors?, lecturers?, instructors?, assistants?, colleagues?, peers?, brother, sister,
    (?:some(?:one|body)|others?) else"""
_SOMEONE = any_of(
    r"""students?, people, someone, somebody, anyone, anybody, beginners?, learners?, those, others,
    (?:the |my |your |some |many |most )?(?:text)?books?, classmates?, the key, the answer key,
    the literature, the internet, wikipedia, friends?, teachers?,
    (?:many|some|most|several|few)(?: of (?:us|them))?,"""
    + _PEOPLE
)
_SOURCES = any_of(
    r"""(?:(?:lecture|class|lab) )?notes, questions?, problems?, tasks?, prompt, exercise, assignment,
    problem statement, hint, literature, paper, article, authors?, (?:text)?book, handbook, answer key, key,
    solution manual, web ?site, database, wikipedia"""
)
_IN_SOURCE = rf"(?:in|by|from)\s(?:the|this|my|our|your|an?)\s(?:\w+\s)?{_SOURCES}"
_STATED = any_of(
    "given, stated, quoted, reported, mentioned, specified, listed, provided, claimed, cited, published"
)
_WORKERS = any_of(
    r"""students?, people, someone, somebody, anyone, anybody, beginners?, learners?, others, classmates?,
    friends?, teachers?, authors?, workers?, researchers?, et al\.?, (?:chat)?gpt(?:-?\d\w?)?,"""
    + _PEOPLE
)
_ARRIVE = any_of(
    """get, gets, got, obtain, obtains, obtained, find, finds, found, calculate, calculates, calculated,
    compute, computes, report, reports, reported, measured, determined, arrive at, arrives at, arrived at,
    end up with, ends up with, come up with, comes up with, say, says, said, claim, claims, claimed"""
)
_HELPERS = (
    r"(?:\s(?:who|that|often|would|might|may|could|will|probably|usually|sometimes|always|tend to|still|"
    r"wrongly|mistakenly|have|has|had|then|instead)){0,3}"
)
_WHO = r"(?:\s(?:who|that|which)\s[^.,;:\n]{1,40}?)?"
_SOMEONES_OWN = (
    r"(?!(?:this|that|it|here|there|let|what|who|today|question|problem|part|task|exercise)['\u2019]s\b)"
    rf"[a-z]{{2,20}}['\u2019]s\s(?:{_CHOICES}|suggestion|claim|opinion|proposal|version|attempt|result)"
    r"\s(?:is|was|would be)"
)
"""What belongs to someone or to another time: "last year's answer is"."""
_ATTRIBUTED_BEFORE = re.compile(
    rf"\b(?:{_LURES}\s(?:wrong\s|first\s)?{_CHOICES}\s(?:here\s)?(?:is|was|would be|might be|seems|to be)"
    rf"|{_SOMEONE}{_HELPERS}\s{_SAY}"
    rf"|(?<!\bas )(?:one|you)\s(?:might|could|may|would)"
    rf"(?:\s(?:be tempted to|naively|first|well|at first)){{0,2}}\s{_SAY}"
    rf"|(?<!\bas )we\s(?:might|could|may|would)"
    rf"(?:\s(?:be tempted to|naively|first|well|at first)){{0,2}}\s{_GUESS}"
    r"|\w{2,20}\s(?:has\s|had\s)?(?:told|tells|assured|informed)\s(?:me|us)(?:\sthat)?"
    rf"|{_SOMEONES_OWN}"
    rf"|i was (?:going|about) to\s{_SAY}|tempted\s(?:by|to)|tempting\s(?:to|for)|seduced by)\b{_WITHIN}",
    re.I,
)
_MISTAKEN_BEFORE = re.compile(
    r"\b(?:misconceptions?|myths?|fallacy|mistakes?|errors?|traps?|pitfalls?|misbelief|misunderstanding)\s"
    r"(?:here\s)?(?:(?:is|would be|was)\s)?"
    rf"(?:that|to\s{_SAY}|of\s{_SPEAKING})\b{_WITHIN}"
    r"|(?:^|[.;\n]\s?)\W{0,6}(?:incorrect|wrong|false|rejected|not correct|ruled out|excluded|discarded)"
    r"(?:\s(?:one|answer|option|structure|formula|value)s?)?:\s?"
    r"(?:(?!\b(?:so|thus|hence|therefore|but)\b)[^.;:\n]|\.(?=\d)){0,60}$"
    r"|\b(?:mistake|error|slip|blunder)\s(?:here\s)?(?:gives|leads to|yields)\s\W{0,3}$"
    r"|\b(?:wrong|incorrect|false|erroneous|rejected|excluded|discarded|eliminated)\s"
    r"(?:answers?|options?|choices?|structures?|candidates?|results?|values?|assignments?|suggestions?)\s"
    r"(?:here\s)?(?:includes?|is|are|was|were|would be)\s(?:(?:for (?:example|instance)|e\.g\.),?\s)?"
    r"(?:[^\s=<>,;]{1,14}\s?=\s?)?\W{0,3}$",
    re.I,
)
_MISTAKE_STEMS = stems(
    """misconception myth fallacy mistake error trap pitfall misbelief misunderstanding wrong false
    rejected correct rul exclu discard slip blunder erroneous eliminat"""
)
_REPORTED_BEFORE = re.compile(
    rf"\b(?:{_SOURCES}\s(?:(?:itself|also|here|already)\s)?"
    r"(?:says?|said|states?|stated|gives?|gave|reports?|reported|claims?|claimed|quotes?|quoted|lists?|mentions?|"
    rf"tells?|told|suggests?|specifies|specified|cites?)\b:?{_DIRECTLY}"
    rf"|{_WORKERS}{_WHO}{_HELPERS}\s{_ARRIVE}\b(?!\sit\b):?{_DIRECTLY}"
    rf"|according\sto\s(?:(?:the|my|this|a|some|most)\s)?(?:\w+\s)?(?:{_SOURCES}|{_SOMEONE}),?{_DIRECTLY}"
    rf"|(?:literature|lit\.|textbook)(?:\svalue)?:\s?{_DIRECTLY}"
    rf"|(?:literature|published|reported|quoted|claimed|textbook)\svalue\s(?:is|was|of|being)\b{_DIRECTLY}"
    rf"|(?:is|was|were|been)\s(?:already\s)?{_STATED}\s(?:{_IN_SOURCE}\s)?(?:to\sbe|as|at)\s(?:about\s)?$"
    rf"|(?:is|was|are|were|been)\s(?:often\s|sometimes\s)?"
    rf"(?:said|claimed|reported|believed|alleged|rumou?red|supposed|stated)\s(?:that|to)\b{_DIRECTLY}"
    rf"|(?:supposedly|reportedly|allegedly|purportedly)\b{_DIRECTLY}"
    rf"|(?:i|we)\s(?:am|are|was|were)\s(?:already\s)?(?:given|told)\b{_DIRECTLY}"
    rf"|{_STATED}\s{_IN_SOURCE}\s(?:is|was|are|were|being|of)\b{_DIRECTLY}"
    rf"|{_SOURCES}'s?\s(?:value|number|figure|answer|result)\s(?:is|was|of)\b{_DIRECTLY}"
    rf"|\w{{1,30}}\s(?:given|quoted|stated|provided)\s(?:is|was)\s$"
    rf"|{_IN_SOURCE},?\s(?:they|he|she|one|(?:the\s)?authors?)\b{_DIRECTLY})",
    re.I,
)
_REPORT_STEMS = stems(
    """answer choice guess response pick idea assum assur reply say said think believ expect claim wri argu
    choos select conclu call mark go opt put stat suggest chose thought wrote insist maintain swear
    reckon told tell inform ’s tempt seduced giv gave report quot list mention specif cite get obtain
    find found calculat measured determin arrive end come literature textbook lit. publish alleged rumo
    supposed according purported provid ' note question problem task prompt exercise assignment hint
    paper author article book key manual web database wikipedia"""
)
"""Either pattern of a report needs one of these."""
_PERSON = r"\b(?:student|pupil|person|classmate|friend|chemist|researcher|scientist|trainee)\s"
_SPEAKER = rf"{_PERSON}(?:[A-Z]|[1-9])\b"
"""Whose word is weighed in an exercise: "Student A"."""
_SPOKEN_BY = re.compile(
    rf"(?:^|[.;|\n]\s?)\W{{0,4}}{_SPEAKER}(?:'s\s(?:answer|claim|view|suggestion))?\s?:\s[^.;\n]{{0,40}}$",
    re.I,
)
SPEAKERS = re.compile(rf"{_SPEAKER}(?:'s\s(?:answer|claim|view|suggestion))?\s?:", re.I)
"""Speakers whose words a text quotes."""
SPEAKER_BEFORE = re.compile(rf"{_PERSON}$", re.I)
_GIVEN = re.compile(
    rf"\W{{0,3}}(?:given(?:\s(?:data|values?|information|quantities))?|knowns?|known\s(?:data|values?)"
    rf"|(?:{_STATED}\s)?{_IN_SOURCE})\s?:"
    r"(?:(?!\b(?:so|thus|hence|therefore|find|get|gives?|obtain|yields?|calculate|asked)\b|->)[^.\n]|\.(?=\d))"
    r"{0,110}$",
    re.I,
)
"""The head of a list of what is given."""
_AS_STATED = re.compile(rf"\W{{0,3}}as\s(?:(?:is|was)\s)?{_STATED}\s{_IN_SOURCE},?{_DIRECTLY}", re.I)
_UNIT = r"(?:\s?[A-Za-zμ%°][A-Za-z0-9/^°·-]{0,11}){0,2}?"
_REPORTED_AFTER = re.compile(
    rf"^{_UNIT}\s?\((?:as\s)?(?:given|stated|provided|{_IN_SOURCE})\b[^()\n]{{0,30}}\)"
    rf"|^{_UNIT}[\"')\]]{{0,2}},?\s(?:is|was|are|were|has\sbeen|have\sbeen)\s(?:also\s|already\s|only\s)?"
    rf"(?:(?:reported|quoted|claimed|published|cited)\b"
    rf"|(?:{_STATED}|found|obtained|measured|determined|calculated)\s(?:{_IN_SOURCE}"
    r"|by\s(?:(?:the|my|a|some|earlier|previous|other)\s)?"
    rf"(?:{_WORKERS}|{_SOURCES}|(?-i:[A-Z])[a-z]+\s(?:et|and)\b))"
    rf"|(?:the|a|what)\s(?:value|number|figure|answer|result|one|concentration|amount)?\s?(?:that\s)?"
    rf"(?:(?:is\s|was\s)?{_STATED}\s{_IN_SOURCE}|{_IN_SOURCE}|(?:the|my)\s(?:\w+\s)?{_SOURCES}\s"
    rf"(?:says?|states?|gives?|gave|quotes?|quoted|lists?|mentions?)))",
    re.I,
)
_ATTRIBUTED_AFTER = re.compile(
    rf"^[\"')\]]{{0,2}},?\s(?:(?:is|was)\s(?:what\s[^.;\n]{{0,40}}\b{_SAY}\b|"
    rf"(?:the|a|an)\s{_LURES}\s{_CHOICES}\b)"
    r"|(?:is|was|seems|looks|appears|would be)\s(?:very\s)?(?:tempting|attractive|appealing)\b"
    rf"|was my\s(?:first\s|initial\s|original\s)?{_CHOICES}\b"
    r"|(?:would|might|could)\s(?:be|have been|hold|seem)\b"
    r"(?:\s(?:right|correct|true|false|the (?:right |correct )?(?:answer|choice|case|option)))?"
    r"\s(?:if|for|were|had|only|in|under|when|at)\b)",
    re.I,
)

_DISMISSED = any_of(
    """dismissed, rejected, discarded, abandoned, excluded, eliminated, refuted, disproved, replaced,
    crossed out"""
)
_SET_ASIDE = re.compile(
    r"^[\"')\]`*]{0,3},?\s(?:(?:but|and|then|which|and then|but then)\s)?"
    r"(?:(?:i|we|have|had|later|soon|then)\s){0,3}"
    rf"(?:{_DISMISSED}\s(?:it|this|that|them|these|both)\b"
    rf"|(?:was|were|is|are|has been|have been|had to be|can be)\s(?:(?:then|later|soon)\s)?{_DISMISSED}\b)",
    re.I,
)
"""What is considered and then given up: "I considered X but dismissed it"."""
_SAID_BEFORE = re.compile(
    r"\b(?:i|we)\s(?:had\s|have\s)?(?:gave|given|wrote|written|said|put|got|answered|stated|chose|chosen|had|"
    r"considered|suspected|guessed|tried|thought of|favou?red)\b[^.;:,\n]{0,40}$",
    re.I,
)
_BEFORE_NOW = re.compile(
    r"^[\"')\]`*]{0,3}\s(?:before|earlier|previously|above|initially|originally|at first|first)\b"
    r"(?!\s\w+ing\b)",
    re.I,
)


def attributed(before: str, after: str) -> bool:
    """Whether what stands between is only reported as others' or the tempting answer."""
    return bool(
        (
            may_match(before, _REPORT_STEMS)
            and (_ATTRIBUTED_BEFORE.search(before) or _REPORTED_BEFORE.search(before))
        )
        or _AS_STATED.match(before)
        or _GIVEN.match(before)
        or _SPOKEN_BY.search(before)
        or _ATTRIBUTED_AFTER.match(after)
        or _REPORTED_AFTER.match(after)
        or _SET_ASIDE.match(after)
        or (_BEFORE_NOW.match(after) and _SAID_BEFORE.search(before))
    )


def mistaken(before: str) -> bool:
    """Whether what follows is reported as a mistake: "it is a misconception that ..."."""
    return may_match(before, _MISTAKE_STEMS) and _MISTAKEN_BEFORE.search(before) is not None
