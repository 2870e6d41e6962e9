"""How the sentence around a structure or a formula presents it: as the result, in another role, or as wrong.

Everything is read in the plain text with its candidates masked, so that one
set of cues serves SMILES and formulas alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.answer.discourse import Spans, sentences
from grader.answer.marks import Rank
from grader.formal.reading.listing import chosen_of_listing
from grader.formal.reading.roles import MASK, ROLE_NOUNS, Role

_REACH = 160
_STOP = (
    r"(?:from|of|with|without|by|via|not|to|than|like|which|that|when|because|if|formed|made|and|or|"
    r"but|is|are|"
    r"was|were|gives?|giving|yields?|affords?|forms?|obtained|converted|similar|analogous|between|while|plus|"
    r"intermediate|by-product|in|into|for|rather|no|never|unlike|could|would|might|may|only|even|"
    r"adds?|reacts?|using|via|after|before|on|it|they|then|so|i|we|you|should|fits?|match(?:es)?|agrees?|"
    r"suggests?|indicates?|implies|imply|requires?|points?|means)"
)
_WORDS = rf"(?:(?!{_STOP}\b|->)[^\s{MASK}.;!?]{{1,40}}\s{{1,2}}){{0,6}}"
"""A noun phrase in front of a candidate: "the tertiary alcohol ", "cyclohexanone, ", "butanone: "."""
_PHRASE = _WORDS.replace(".;!?", ".;:!?")
_PLAIN_WORDS = _WORDS.replace(".;!?", ".,;:!?")
_MAKE = r"(?:give|form|yield|afford|produce|furnish|deliver|lead to|result in)"
_BARE = r"[ (\"'*`]{0,6}"
_OPEN = r"[\s(\"'*`:]{0,6}"
_LESSER_WORDS = (
    "by side minor intermediate first crude primary initial other unwanted undesired wrong empirical "
    "simplest secondary second kinetic naive incorrect undesirable co possible potential conceivable "
    "literature"
)
_LESSER = frozenset(_LESSER_WORDS.split())
_RESULT = (
    r"(?:products?|answers?|results?|structures?|(?:chemical |molecular )?formula|target(?: molecule)?|"
    r"compounds?|unknown)"
)
_IS = r"(?:\b(?:is|are|was|were|must be|has to be|will be|should be)\b|[:=])"
_THEN = r"(?:(?:therefore|thus|then|hence|clearly|simply|now|consequently|accordingly),?\s)?"

_OF_RESULT = (
    r"of (?:the |this |our )?(?:\w+ ){0,2}(?:product|compound|target|unknown|answer|substance|molecule)\b"
)
_RESULT_IS = re.compile(
    rf"(?P<kind>\b\w+[- ])?\b{_RESULT}\)?(?:\s\([^()\n{MASK}]{{0,40}}\))?"
    rf"(?:\s(?:{_OF_RESULT}|(?!of\b))[^.;:=\n{MASK}]{{0,60}}?)?\s?{_IS}\s{{0,3}}{_THEN}{_WORDS}{_OPEN}$",
    re.I,
)
_HEADING = re.compile(
    rf"^[^\w\n]{{0,8}}(?:the |final |major |main |overall |my )*(?:{_RESULT}|conclusion)[^\w\n]{{0,8}}\n\s*"
    rf"(?:[^\n.;{MASK}]{{0,30}}:\s)?{_OPEN}$",
    re.I | re.M,
)
_CHOSEN = re.compile(
    rf"(?:^|[.;\n]\s?)[^\w\n]{{0,6}}major\s?[:=]\s{{0,3}}{_WORDS}{_OPEN}$|\btarget(?: molecule| "
    rf"compound)?,?\s{_OPEN}$|"
    rf"(?:✅|✓|✔|☑)\s{{0,3}}{_WORDS}{_OPEN}$"
    rf"|(?:^|[.;\n]\s?)[^\w\n]{{0,6}}(?:correct(?:ed)?|right)(?: one| "
    rf"answer)?\s?[:=]\s{{0,3}}{_WORDS}{_OPEN}$"
    rf"|\b(?:fits only|matches only|agrees only with|only (?:fits|matches))\s{_WORDS}{_OPEN}$"
    rf"|\bcorrect(?: \w+){{0,2}} is\s{_WORDS}{_OPEN}$"
    rf"|\b(?:it|that|this)(?:'s|\sis|\smust be)(?:\sthe\s[a-z -]{{1,30}})?:\s{_OPEN}$"
    rf"|,\s(?:the|our|my)\s(?:(?:final|correct|major|main|desired)\s)?{_RESULT},\s(?:is|are)\s{_WORDS}{_OPEN}$"
    r"|\b(?:major|main|predominant|dominant|favou?red|preferred)\s(?:\w+\s){0,2}?(?:(?:regio|stereo|"
    r"diastereo|"
    r"constitutional )?isomer|enantiomer|diastereomer|component|adduct|alkene)"
    rf"\s?{_IS}\s{{0,3}}{_WORDS}{_OPEN}$",
    re.I,
)
_CONCLUDED = re.compile(
    r"\b(?:(?:so|thus|hence|therefore|consequently)\b,?|"
    r"(?:overall|net|sum|total|altogether)(?: (?:reaction|equation|transformation|process|change))?"
    r"(?: SMILES)?\s?:)\s"
    rf"(?:(?:[\w-]{{1,20}}\s){{1,6}}?(?:is|are|was|must be)\s)?{_THEN}{_WORDS}{_OPEN}$",
    re.I,
)
_SUPERLATIVE = (
    r"(?:(?:strong|weak|fast|slow|high|low|larg|small|great|long|short|hard|soft|heavi|light|acidi)est|best|"
    r"(?:most|least) (?!likely\b|probabl)[a-z]{3,20})"
)
_MOST_IS = re.compile(rf"\bthe {_SUPERLATIVE}\b[^.;\n{MASK}]{{0,40}}\b(?:is|are)\s{_WORDS}{_OPEN}$", re.I)
_SOUGHT = re.compile(
    r"\b(?:asked (?:for|about)|in question|sought|wanted|required|used here|given off|evolved|liberated|"
    r"set free)\b"
    rf"[^.;\n{MASK}]{{0,50}}\b(?:is|are)\s{_WORDS}{_OPEN}$",
    re.I,
)
_OBTAINED = re.compile(
    r"\b(?:gives?|giving|gave|(?:furnish|deliver|produce|provide|afford)\b|lead to|result in|yields?|"
    r"yielding|yielded|affords?|affording|delivers?|furnish(?:es|ing)|"
    r"provides?|(?:one|we|you) (?:obtains?|gets?|isolates?)|leads? to|leading to|results? in|produces?|"
    r"leaves behind|leaving|proves?|establish(?:es)?|stops at|(?:ends?|ended) (?:up )?with|"
    r"(?:is|are) left with|"
    r"(?:oxidi[sz]ed|reduced|converted|transformed|hydroly[sz]ed|turned|fermented|(?:de)?hydrated|"
    r"hydrogenated|isomeri[sz]ed|degraded|metaboli[sz]ed|cycli[sz]ed|rearranged) "
    r"(?:\w+ )?(?:in)?to)\s"
    rf"{_WORDS}{_OPEN}$",
    re.I,
)
_SET_FREE = re.compile(rf"\b(?:liberates?|releases?|(?:re)?generates?|leaves)\s{_WORDS}{_OPEN}$", re.I)
"""What tells a result from its source, but does not rank it: a gas is set free beside what is made."""
_APPOSED = re.compile(rf"(?P<kind>\b\w+[- ])?\bproduct,?{_BARE}$", re.I)
_IS_RESULT = re.compile(
    rf"{MASK}*[\s)\"'*`,]{{0,4}}(?:\([^()\n]{{0,50}}\),?\s)?(?:(?:is|are|was)\s(?:then |thus |"
    rf"therefore |finally |hence )?"
    rf"(?:(?:the|our|my)\s(?P<kind>(?:[\w-]+\s){{0,3}}){_RESULT}\b|(?:obtained|isolated|formed|produced)\b"
    rf"(?! (?:only|just|in (?:traces|small)|as (?:a |the )?(?:minor|by|side)))|correct\b)"
    r"|(?:fits|is it)\b|\|[ *]{0,4}(?P<cell>(?:[\w-]{1,20}\s){0,2})(?:product|target|answer)(?: molecule)?"
    r"[ *]{0,4}(?:\||$)|(?:forms|results)\b"
    r"(?! (?:as well|too|also|in (?:traces|small)|only|as (?:a |the )?(?:minor|by|side))))",
    re.I,
)

_HEAD_ROLE = re.compile(
    rf"^[^\w\n]{{0,6}}(?P<headed>{ROLE_NOUNS})\s{_BARE}$"
    rf"|\b(?<!\bin )(?P<role>{ROLE_NOUNS})\)?(?:\s\([^()\n{MASK}]{{0,40}}\))?"
    rf"(?!\s(?:the|this|our)\s)(?:(?:\s[a-z]{{2,12}}){{0,4}}?"
    rf"(?P<states>\s?(?:[:=]|->|\|)\s{{0,3}}|\s(?:is|was|are|were)\s){_WORDS}{_OPEN}|,?\s{_PHRASE}{_BARE})$",
    re.I,
)
_IS_ROLE = re.compile(
    rf"{MASK}*[\s)\"'*`,]{{0,4}}(?:\([^()\n]{{0,50}}\),?\s)?(?:(?:(?:is|was|are|were) (?:\w+ )?as|"
    rf"acts? as|serves? as|as|(?P<states>is|was|are))\s)"
    rf"(?:only |just |merely )?(?:(?:the|a|an)\s)?(?:[\w-]+\s){{0,2}}?(?P<role>{ROLE_NOUNS})\b"
    rf"|{MASK}*[\s\"'*`]{{0,4}}\(\s?(?:the |a |an )?(?P<glossed>{ROLE_NOUNS})\b"
    rf"|{MASK}*[ \"'*`]{{0,4}}\|[ *]{{0,4}}(?P<celled>{ROLE_NOUNS})[ *]{{0,4}}(?:\||$)",
    re.I,
)
_SOURCE = re.compile(
    r"\b(?:from|"
    r"(?<!agrees )(?<!consistent )(?<!compatible )(?<!end )(?<!ends )(?<!ended )(?<!up )(?<!left )"
    r"(?<!are dealing )(?<!'re dealing )(?<!is dealing )"
    r"(?<!drawn )(?<!written )(?<!shown )with|(?:speaks?|argues?|evidence|and) against|"
    r"(?:positive|negative|typical|"
    r"characteristic) (?:for|of)|using|via|through|over|(?:\w+(?:sis|ment|ing)|"
    r"[a-z]{0,12}(?:reac|addi|condensa|oxida|reduc|elimina|hydrogena|halogena|bromina|chlorina|iodina|"
    r"nitra|sulfona|"
    r"acyla|alkyla|methyla|carboxyla|epoxida|esterifica|saponifica|(?:dimer|polymer|isomer)i[sz]a|substitu|"
    r"dehydra|cycliza|cyclisa|ozona|protona|deprotona|combus|decomposi)(?:c?t)?ion)\sof|excess)\s"
    rf"{_PHRASE}{_BARE}$"
    r"|(?:^|[.;\n]\s?)\W{0,6}before\s(?:the\s|this\s)?(?:reaction|step|work-?up|\w{3,20}(?:tion|sis|ment|ing))\b"
    rf"[^.;\n{MASK}]{{0,40}}$",
    re.I,
)
_WOULD = re.compile(
    rf"\bwould (?:[^.;:\n]{{0,40}} (?:to|and) )?(?:be|give|form|yield|afford|produce|lead to|have been|"
    rf"(?:go|proceed|react|turn|be [a-z]{{4,12}}ed)\b[^.;:\n{MASK}]{{0,30}}?\s(?:in)?to)\s{_PHRASE}{_BARE}$",
    re.I,
)
_WOULD_RESULT = re.compile(
    rf"(?:^|[^\w-])(?:the |final |major |main |organic |overall )*{_RESULT} would (?:therefore |thus "
    rf"|then )?be\s"
    rf"{_PHRASE}{_BARE}$",
    re.I,
)
_OF = re.compile(rf"\bof\s{_PHRASE}{_BARE}$", re.I)
_IS_OTHER = re.compile(rf"{MASK}*[\s)\"'*`,]{{0,4}}(?:is|are|must be)\s[^.;\n{MASK}]{{0,40}}{MASK}", re.I)
_ACTIVE = (
    r"(?:(?:de)?protonat|acet[yi]lat|acylat|alkylat|methylat|brominat|chlorinat|nitrat|hydrogenat|dehydrat|"
    r"hydrat|eliminat|attack|reduc|oxidi[sz]|hydroly[sz]|convert|transform|condens|coupl|cleav|consum|"
    r"saponif|esterif|ozonolys|epoxidi[sz])"
)
_OBJECT = re.compile(
    rf"\b{_ACTIVE}e?s\s{_PHRASE}{_BARE}$|\badds? to\s{_PHRASE}{_BARE}$"
    rf"|\b(?:turn(?:s|ing)?|chang(?:es?|ing))\s(?:the\s)?{_BARE}$",
    re.I,
)
_FIRST_INTO = re.compile(
    r"\b(?:is|are|was|were)\s(?:first|initially)\s(?:oxidi[sz]ed|reduced|converted|transformed|turned|brominated|"
    rf"chlorinated|activated|hydroly[sz]ed|isomeri[sz]ed)\s(?:\w+\s)?(?:in)?to\s{_WORDS}{_OPEN}$",
    re.I,
)
"""What something is turned into before anything else happens: an intermediate."""
_REAGENT = re.compile(
    rf"\b(?:is|are|was|were|being|then|first)\s(?:\w+\s){{0,2}}?(?:{_ACTIVE}e?d|treated|protected)\s"
    r"\(\W{0,3}$",
    re.I,
)
"""With what something is done, in brackets: "it is first acetylated (□)"."""
_IMAGINED = re.compile(
    rf"{MASK}*[\s)\"'*`,]{{0,4}}would(?: not|n't)? (?:also |instead |have |immediately |rapidly )?"
    r"(?:decolou?ri[sz]e|show|give|react|reduce|need|require|absorb|melt|boil|dissolve|rotate|turn|display|"
    r"exhibit|undergo|lose|contain)\b",
    re.I,
)
"""What another compound would do, which speaks for the one stated."""
_ACTS = re.compile(
    rf"{MASK}*[\s)\"'*`,]{{0,4}}(?:\([^()\n]{{0,50}}\),?\s)?"
    r"(?:(?:which|that|and this|it)\s(?:(?:with|on|upon|under|by)\s[^,.;\n]{1,30}?\s)?)?"
    rf"(?:(?:which|that)\s[^,.;\n]{{1,30}}?\s{_ACTIVE}e?s\s(?:in)?to\b|"
    rf"undergoes\b|(?:gives|yields|affords)\b[^.;\n{MASK}]{{0,60}}{MASK}|{_ACTIVE}e?s\b|reacts?\b|"
    rf"adds\b|couples\b|leaves\b|(?:becomes|(?:turns|changes) into)\s(?:\w+\s){{0,2}}?\W{{0,3}}{MASK}|"
    r"(?:is|are|was|were|being) (?:then |first |easily |simply )?(?:lost|eliminated|expelled|"
    r"consumed|removed|"
    rf"released as|added|present|dissolved|treated|heated|stirred|mixed|refluxed|suspended|burned|"
    rf"burnt|turned into|{_ACTIVE}e?d)\b|(?:does not|doesn't|do not|don't|did not)\b)",
    re.I,
)
_WRONG = re.compile(
    rf"(?:❌|✗|✘|✖|🚫)\s{{0,3}}{_OPEN}$"
    r"|(?:^|[.;\n]\s?)[^\w\n]{0,6}(?:incorrect|wrong|false|rejected|not correct|discarded|ruled out|excluded)"
    rf"(?: one| answer| structure| formula)?\s?[:=]\s{{0,3}}{_WORDS}{_OPEN}$"
    rf"|\b(?:wrong|incorrect|mistaken) (?:\w+ )?(?:is|would be)\s{_WORDS}{_OPEN}$"
    rf"|\b(?:rather than|instead of|as opposed to|in preference to|not to be confused "
    rf"with)\s{_WORDS}{_OPEN}$"
    rf"|\bprefer(?:s|red)?\s[^.;\n]{{0,40}}{MASK}\W{{0,4}}\s(?:to|over)\s{_PLAIN_WORDS}{_BARE}$"
    rf"|\breplace\s{_BARE}$"
    rf"|(?<!why )(?<!or )(?<!if )(?:\bnot|n't)\s(?:(?:be|{_MAKE})\s)?(?:the|an?|its)\s{_PLAIN_WORDS}{_BARE}$",
    re.I,
)
_NO_RESULT = re.compile(
    rf"{MASK}*[\s)\"'*`]{{0,4}}[,;]?\s?(?:(?:but|yet|and|though)\s)?(?:neither|none)"
    rf"(?: of (?:them|these|which))?\s(?:is|are|fits?|match(?:es)?|agrees?|explains?|can|"
    rf"could|has|have|does|would)\b"
    rf"|{MASK}*[\s)\"'*`,]{{0,4}}(?:\([^()\n]{{0,50}}\),?\s)?(?:(?:does not|doesn't|do not|don't|did "
    rf"not|cannot|"
    r"can't|will not|won't|(?:is|are|was|were)(?: not|n't))\s(?:be\s)?"
    r"(?:form|arise|occur|result|exist|fit|match|agree|"
    r"obtained|observed|possible|account|explain)|\s?(?:❌|✗|✘)(?=\s*(?:$|\n|[;,])))",
    re.I,
)
_ONLY = re.compile(rf"\b(?:only|just)\s(?:the )?{_BARE}$", re.I)
_ONLY_DOES = re.compile(
    rf"{MASK}*[\s)\"'*`]{{1,4}}(?:gives?|has|shows?|fits|matches|can|satisf\w+|does|yields?)\b"
)
_GROUNDS = re.compile(r"\b(?:because|since|as it|given that)\s[^,.;:\n]{0,120}$", re.I)
"""A reason behind what it is given for: "... is □ because ozonolysis gives □"."""
_COUNTERPART = re.compile(
    rf"\b(?:is|are)\s(?:the\s)?{MASK}{{1,160}},?\s(?:while|whereas)\s(?:the\s)?(?:\w{{1,20}}\s){{0,2}}"
    rf"(?P<other>{MASK}{{1,160}}\s(?:would\s)?(?:gives?|forms?|yields?|affords?|produces?|leads? to)\s"
    rf"{_WORDS}{_OPEN})?$",
    re.I,
)
"""What another substance than the one stated does: "it is □, while □ gives □"."""
_INTRODUCED = re.compile(rf"(?:\b(?:is|are)|[=:])\s(?:the\s)?{MASK}")
_CONTRASTED = re.compile(
    rf"{MASK}*[\s)\"'*`]{{0,4}}(?:\([^()\n]{{0,50}}\))?(?:,\s(?:(?:by|in) (?:contrast|comparison)|"
    r"for comparison|on the other hand|conversely),)"
)
"""What sets a second substance against the one stated: "□, by contrast, is brown"."""
_MEANWHILE = re.compile(rf"\b(?:as|while|when|until|once)\s(?:(?:the|some|more)\s)?{_BARE}$", re.I)
"""What forms from the substance stated: "it is □; in air it turns brown as □ forms"."""
_CONTRAST = re.compile(
    r"[\s*_\"'(]*(?:(?:by|in) (?:contrast|comparison)|for comparison|compare|conversely|on the other hand|"
    r"note that)\b",
    re.I,
)
_THING_IS = re.compile(
    r"\bthe\s(?:[\w-]{1,20}\s){0,2}(?:gas|ion|salt|species|solid|precipitate|residue|anion|cation|complex|"
    r"oxide|metal|(?:di)?(?:alcohol|acid|ester|ketone|aldehyde|amine|amide)|diol|"
    r"alkene|alkane|alkyne|diene|ether|phenol|"
    r"hydrocarbon|isomer)\s"
    rf"(?:is|must be)\s{_WORDS}{_OPEN}$",
    re.I,
)
_ANYTHING_IS = re.compile(rf"\bthe\s(?:[\w-]{{1,20}}\s){{1,3}}(?:is|are|must be)\s{_WORDS}{_OPEN}$", re.I)
_ANEW = re.compile(
    r"[ ]\W{0,4}|\W{0,6}(?:(?!(?:in|as|with|at|under|before|after|from|for|of|by|on)\b)"
    rf"[^.;\n{MASK}]{{1,40}}[,:!]\s)?(?:(?:it|this|that)(?:'s|\s(?:is|must be|should be|has to be))"
    rf"|(?:thinking|considering)\b[^.;\n{MASK}]{{1,40}},|I(?:'d|\swould) (?:now )?say"
    rf"|make (?:it|that)|(?:please )?read){_OPEN}",
    re.I,
)
"""All that stands before a structure in a sentence that says the result anew."""
_ANY_ROLE = re.compile(rf"\b{ROLE_NOUNS}\b", re.I)
_NOTHING_MORE = re.compile(
    rf"{MASK}*[\s)\"'*`]{{0,4}}(?:it is|instead|(?:is|that|which)\s(?:what\s)?forms)?\W{{0,3}}(?:[.!\n]|$)",
    re.I,
)
_MAJOR = re.compile(
    rf"{MASK}*[\s)\"'*`,]{{0,4}}the (?:major|main|principal)(?: (?:one|product|isomer))?\W{{0,3}}"
    r"(?:[.;\n]|$)",
    re.I,
)
"""What is left of "is the major product" after "□ is the minor product, □ ..."."""
_ONLY_A = re.compile(r"\W*(?:is|was|are) (?:only|just|merely|an?)\b")
_COUNT = re.compile(r"(?<![\w.,])[1-9][0-9]?[ ]?\Z")
_AMOUNT = re.compile(
    r"(?:\b(?:an?|one|two|three|four|excess|[0-9]{1,2})\s)?\b(?:equivalents?|equiv\.?|mol(?:e(?:cule)?)?s?)"
    r" of\s\Z",
    re.I,
)
_AND = re.compile(
    r"[\s)\"'*`]{0,3}(?:\([^()\n]{0,40}\))?,?\s?(?:\band\b|\bor\b|&|/)\s?[\s(\"'*`]{0,3}"
    r"(?:(?!for\b)[a-z]{3,20} )?"
)
_COMMA = re.compile(r"[\s)\"'*`]{0,3},\s?[\s(\"'*`]{0,3}")


@dataclass(frozen=True, slots=True)
class Presented:
    """One candidate's role in the text, and the rank its sentence gives it."""

    role: Role
    rank: Rank = Rank.PLAIN


def presentations(
    masked: str, spans: Sequence[tuple[int, int]], roles: Sequence[Role], asked: Sequence[str]
) -> list[Presented]:
    """How each masked candidate is presented; ``roles`` are what its own notation already says."""
    around = sentences(masked)
    found: list[Presented] = []
    for (start, end), role in zip(spans, roles, strict=True):
        found.append(_one(masked, around, start, end, role, asked, bool(found)))
    _coordinate(masked, spans, found)
    _conclude(masked, spans, found)
    _say_anew(masked, spans, around, found)
    chosen = chosen_of_listing(masked, spans)
    if chosen is not None and not asked:
        found[chosen] = Presented(Role.STATED, Rank.ANSWER)
    return found


def _conclude(masked: str, spans: Sequence[tuple[int, int]], found: list[Presented]) -> None:
    """A last "the gas is ..." is the result, if nothing before was introduced like this."""
    if len(found) < 2 or found[-1].role is not Role.STATED or found[-1].rank >= Rank.PRESENTED:
        return
    *before, last = (masked[max(0, start - _REACH) : start] for start, _ in spans)
    if _THING_IS.search(last) and not any(_ANYTHING_IS.search(text) for text in before):
        found[-1] = Presented(Role.STATED, Rank.PRESENTED)


def _say_anew(masked: str, spans: Sequence[tuple[int, int]], around: Spans, found: list[Presented]) -> None:
    """A later sentence that only says "it is ..." states a result as well as the one it follows."""
    best = Rank.PLAIN
    for index, (start, end) in enumerate(spans):
        shown = found[index]
        since = masked[max(spans[index - 1][1] if index else 0, start - _REACH) : start]
        if shown.role is Role.STATED and shown.rank < best and not _ANY_ROLE.search(since):
            before = masked[max(around.at(start)[0], start - _REACH) : start]
            if _ANEW.fullmatch(before) and _NOTHING_MORE.match(masked, end):
                found[index] = Presented(Role.STATED, best)
        best = max(best, shown.rank)


def _coordinate(masked: str, spans: Sequence[tuple[int, int]], found: list[Presented]) -> None:
    """Let candidates that are joined by "and" share what the text says of the first, or of the last."""
    gaps = [masked[one[1] : two[0]] for one, two in pairwise(spans)]
    for index, gap in enumerate(gaps):
        before, after = found[index], found[index + 1]
        listed = before.role is Role.PART or before.rank is not Rank.PLAIN
        if _IS_ROLE.match(gap):
            continue  # "□ (minor) and □": the gloss is the first one's alone
        if after == Presented(Role.STATED) and (_AND.fullmatch(gap) or (listed and _COMMA.fullmatch(gap))):
            found[index + 1] = before
    for index in range(len(gaps) - 1, -1, -1):
        after = found[index + 1]
        passing = after.role in (Role.REJECTED, Role.CONSUMED)
        if passing and found[index] == Presented(Role.STATED) and _AND.fullmatch(gaps[index]):
            found[index] = after


def _one(
    masked: str, around: Spans, start: int, end: int, role: Role, asked: Sequence[str], later: bool
) -> Presented:
    low, _ = around.at(start)
    before = masked[max(low, start - _REACH) : start]
    wide = masked[max(0, start - _REACH) : start]
    before = _COUNT.sub("", _AMOUNT.sub("", before))
    after = masked[end : end + _REACH]
    if not before.strip() and not wide.rstrip().endswith((".", "!", "?", "|", MASK)):
        before = wide[wide.rstrip().rfind("\n") + 1 :]
    if _WRONG.search(wide[-80:]) or _NO_RESULT.match(after):
        return Presented(Role.REJECTED)
    if _REAGENT.search(before):
        return Presented(Role.SOURCE)
    if _FIRST_INTO.search(before):
        return Presented(Role.SETTING)
    if _MAJOR.match(after):
        return Presented(Role.STATED, Rank.PRESENTED)
    if part := _part(before, after, asked):
        return Presented(part)
    if _WOULD_RESULT.search(before):
        return Presented(Role.STATED)
    rank = _rank(before, wide, after)
    if rank is not Rank.PLAIN and _ACTS.match(after) and not _RESULT_IS.search(before):
        return Presented(Role.CONSUMED)
    counterpart = _COUNTERPART.search(before)
    if counterpart and rank <= Rank.OBTAINED and (counterpart["other"] or _ACTS.match(after)):
        return Presented(Role.SETTING)
    if rank in (Rank.PLAIN, Rank.OBTAINED) and later and _GROUNDS.search(before):
        return Presented(Role.CONTEXT)
    contrasted = _CONTRASTED.match(after) and _INTRODUCED.search(wide)
    if rank is Rank.PLAIN and later and (contrasted or _CONTRAST.match(masked[low:start])):
        return Presented(Role.CONTEXT)
    if later and _MEANWHILE.search(before) and _INTRODUCED.search(wide) and not _RESULT_IS.search(before):
        return Presented(Role.CONTEXT)
    if rank is Rank.PRESENTED:
        return Presented(role if role is Role.SOURCE else Role.STATED, rank)
    if role is Role.STATED:
        role = _passing(before, after)
    return Presented(role, rank if role is Role.STATED else Rank.PLAIN)


_NOUN_GROUPS = ("role", "glossed", "headed", "celled")


def _part(before: str, after: str, asked: Sequence[str]) -> Role | None:
    """PART or SETTING where the candidate plays a role that isn't the one asked for."""
    head = None if _MOST_IS.search(before) or _SOUGHT.search(before) else _HEAD_ROLE.search(before)
    tail = _IS_ROLE.match(after)
    for match in (head, tail):
        if match is None:
            continue
        groups = match.groupdict()
        role = next((said for name in _NOUN_GROUPS if (said := groups.get(name))), "")
        if not any(role.lower().rstrip("s") in label.lower() for label in asked):
            stated = groups["states"] and not re.match(
                r"\W*(?:is|was|are) (?:only|just|merely|an?)\b", match[0]
            )
            return Role.PART if stated or groups.get("headed") else Role.SETTING
    return None


def _passing(before: str, after: str) -> Role:
    if _is_source(before) or _WOULD.search(before):
        return Role.SOURCE
    if _OF.search(before) and _IS_OTHER.match(after):
        return Role.CONTEXT
    if _OBJECT.search(before) or _ACTS.match(after):
        return Role.CONSUMED
    return Role.CONTEXT if _IMAGINED.match(after) else Role.STATED


_NAMELY = re.compile(r"\b(?:namely|viz|i\.e|that is)\b")


def _is_source(before: str) -> bool:
    """Whether something is made from the candidate, and nothing is said between to give it."""
    source, given = _SOURCE.search(before), _OBTAINED.search(before) or _SET_FREE.search(before)
    if source is None or (given and given.start() > source.start()):
        return False
    return _NAMELY.search(source[0]) is None


def _rank(before: str, wide: str, after: str) -> Rank:
    """PRESENTED as the result, OBTAINED by a step, or PLAIN."""
    result = _RESULT_IS.search(before)
    if result and not _is_lesser(result["kind"]):
        return Rank.PRESENTED
    told = _IS_RESULT.match(after)
    if told and not any(_is_lesser(word) for word in (told["kind"] or told["cell"] or "").split()):
        return Rank.PRESENTED
    if _ONLY.search(before) and _ONLY_DOES.match(after):
        return Rank.PRESENTED
    if any(cue.search(before) for cue in (_CONCLUDED, _SOUGHT, _CHOSEN, _MOST_IS)) or _HEADING.search(wide):
        return Rank.PRESENTED
    apposed = _APPOSED.search(before)
    if apposed and not _is_lesser(apposed["kind"]):
        return Rank.OBTAINED
    return Rank.OBTAINED if _OBTAINED.search(before) else Rank.PLAIN


def _is_lesser(word: str | None) -> bool:
    return (word or "").strip(" -").lower() in _LESSER
