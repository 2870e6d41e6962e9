"""Other ways to write a list or an order, and lists and orders close to it that are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from grader.formal.lists.direction import read_order
from grader.formal.variants.variant import Variant
from grader.problem.checks import SequenceCheck, SetCheck

_STRANGERS: dict[str, tuple[str, ...]] = {
    "formula": ("KMnO4", "N2O5", "SF6", "C6H6"),
    "smiles": ("CCCCCC", "c1ccncc1", "CC(C)(C)O"),
    "name": ("decane", "aniline", "cyclohexanone"),
    "locant": ("7", "9", "11"),
    "integer": ("17", "23", "41"),
}
_FOLLOWS = {1: ("increasing", "lowest to highest"), -1: ("decreasing", "highest to lowest")}


def equivalents(check: SetCheck | SequenceCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected list in other layouts: a set also in other orders, an order also turned round."""
    random = Random(f"{seed} {check.expected}")
    items = [str(item) for item in check.expected]
    if isinstance(check, SequenceCheck):
        yield from _orders(check, items)
        return
    yield from _layouts(check, items)
    yield Variant(_prose(_shuffled(items, random), check.items), "in another order")
    yield Variant(f"{_prose([*items, random.choice(items)], check.items)}", "a member twice")


def near_misses(check: SetCheck | SequenceCheck, seed: int = 0) -> Iterator[Variant]:
    """A member replaced, left out or added; an order turned round, with two swapped, or with a tie."""
    random = Random(f"{seed} {check.expected}")
    items = [str(item) for item in check.expected]
    strangers = _strangers(check, items)
    for index in range(len(items)):
        for stranger in strangers[:1]:
            yield from _written(check, [*items[:index], stranger, *items[index + 1 :]], "a member replaced")
        if len(items) > 2:
            yield from _written(check, [*items[:index], *items[index + 1 :]], "a member left out")
    for stranger in strangers[:2]:
        yield from _written(check, [*items, stranger], "a member added")
    if isinstance(check, SequenceCheck):
        yield from _misordered(check, items, random)


def _misordered(check: SequenceCheck, items: list[str], random: Random) -> Iterator[Variant]:
    yield from _written(check, items[::-1], "turned round")
    for index in range(len(items) - 1):
        swapped = [*items[:index], items[index + 1], items[index], *items[index + 2 :]]
        yield from _written(check, swapped, "two swapped")
    spelled = [_typed(item, check.items) for item in items]
    less = _sign(check)
    at = random.randrange(len(items) - 1)
    tied = f" {less} ".join([*spelled[:at], f"{spelled[at]} = {spelled[at + 1]}", *spelled[at + 2 :]])
    if len(items) > 2:
        yield Variant(tied, "a tie")


def _written(check: SetCheck | SequenceCheck, items: list[str], how: str) -> Iterator[Variant]:
    """A list in the plainest layouts of its kind."""
    if isinstance(check, SetCheck):
        yield Variant(_prose(items, check.items), how)
        yield Variant(_bulleted(items, check.items), f"{how}, in bullets")
        return
    spelled = [_typed(item, check.items) for item in items]
    yield Variant(f" {_sign(check)} ".join(spelled), f"{how}, as a chain")
    if read_order(check.order).way:
        yield Variant(f" {_sign(check, back=True)} ".join(spelled[::-1]), f"{how}, as a chain turned round")


def _layouts(check: SetCheck, items: Sequence[str]) -> Iterator[Variant]:
    kind = check.items
    spelled = [_typed(item, kind) for item in items]
    yield Variant(", ".join(spelled), "joined by commas")
    yield Variant(_prose(items, kind), "in a sentence")
    yield Variant(f"**Answer:** {', '.join(spelled)}", "marked")
    yield Variant(_bulleted(items, kind), "in bullets")
    yield Variant("\n".join(f"{index}. {item}" for index, item in enumerate(spelled, 1)), "numbered")
    if kind not in ("smiles", "name"):
        yield Variant("; ".join(spelled), "joined by semicolons")
    if kind in ("locant", "integer", "formula"):
        yield Variant(rf"\boxed{{{', '.join(items)}}}", "boxed", "latex")


def _orders(check: SequenceCheck, items: Sequence[str]) -> Iterator[Variant]:
    kind = check.items
    spelled = [_typed(item, kind) for item in items]
    chain = f" {_sign(check)} ".join(spelled)
    back = f" {_sign(check, back=True)} ".join(spelled[::-1])
    yield Variant(chain, "as a chain")
    yield Variant(back, "as a chain turned round")
    yield Variant(f"**Answer:** {chain}", "marked")
    yield Variant(f"The order is {back}.", "in a sentence, turned round")
    yield Variant(", ".join(spelled), "as a list")
    yield Variant(" → ".join(spelled), "with arrows")
    yield Variant(", then ".join(spelled), "with then")
    way = read_order(check.order).way
    if way:
        for word in _FOLLOWS[way]:
            yield Variant(f"In order, {word}: {', '.join(spelled)}", f"announced as {word}")
        for word in _FOLLOWS[-way]:
            yield Variant(
                f"In order, {word}: {', '.join(spelled[::-1])}", f"announced as {word}, turned round"
            )
    if kind in ("formula", "label") and all(item.isascii() for item in items):
        latex = f" {_sign(check)} ".join(rf"\mathrm{{{item}}}" for item in items)
        yield Variant(f"${latex}$", "in LaTeX", "latex")


def _sign(check: SequenceCheck, *, back: bool = False) -> str:
    up = (read_order(check.order).way or 1) > 0
    return "<" if up is not back else ">"


def _prose(items: Sequence[str], kind: str) -> str:
    spelled = [_typed(item, kind) for item in items]
    return (
        f"They are {', '.join(spelled[:-1])} and {spelled[-1]}."
        if len(spelled) > 1
        else f"Only {spelled[0]}."
    )


def _bulleted(items: Sequence[str], kind: str) -> str:
    return "\n".join(f"- {_typed(item, kind)}" for item in items)


def _typed(item: str, kind: str) -> str:
    return f"`{item}`" if kind == "smiles" else item


def _shuffled(items: Sequence[str], random: Random) -> list[str]:
    mixed = list(items)
    random.shuffle(mixed)
    return mixed


def _strangers(check: SetCheck | SequenceCheck, items: Sequence[str]) -> list[str]:
    """Items of the kind that are not in the expected list."""
    if check.items == "quantity":
        return [f"{float(number) * 7:g}{unit}" for number, unit in [_measured(items[0])]]
    if check.items == "label":
        return _labels(items)
    return [one for one in _STRANGERS[check.items] if one not in items]


def _measured(item: str) -> tuple[str, str]:
    number, _, unit = item.partition(" ")
    return number, f" {unit}" if unit else ""


def _labels(items: Sequence[str]) -> list[str]:
    """Other letters, elements or terms of the vocabulary, by the manner of the expected ones."""
    from grader.formal.lists.anchors import Labels

    known = Labels(items)
    if known.letters:
        return [letter for letter in "ABCDEFGH" if letter not in items]
    if known.elements:
        return [symbol for symbol in ("Rb", "Zn", "Br", "Mg") if symbol not in items]
    if known.vocabulary is not None:
        names = [words[0] for words in known.vocabulary.spellings.values() if words]
        own = known.vocabulary
        return [
            name
            for name in names
            if all(own.relation(m, frozenset(known.expected)) == "different" for m in [own.read(name)] if m)
        ][:3]
    return ["another thing"]
