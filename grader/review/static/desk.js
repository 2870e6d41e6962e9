// What pages of the desk do besides being forms: one key an action, evidence by selecting, active seconds.
"use strict";
(() => {
  const IDLE = 60_000; // milliseconds without a key or a move after which nobody is taken to be reading
  let active = 0;
  let touched = Date.now();

  const raw = () => document.getElementById("raw");
  const field = (name) => document.querySelector(`form.mark [name="${name}"]`);
  const say = (text) => { document.getElementById("said").textContent = text; };

  // Time

  for (const name of ["keydown", "pointerdown", "pointermove", "wheel"])
    document.addEventListener(name, () => { touched = Date.now(); }, { passive: true });
  setInterval(() => {
    if (document.visibilityState === "visible" && Date.now() - touched < IDLE) active += 1;
  }, 1000);
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-timed]")) event.target.elements.seconds.value = active;
    // or htmx would put the focus into the same field of the next page, and keys would write there
    if (writes(document.activeElement)) document.activeElement.blur();
  }, true);

  // Evidence

  const within = (node) => raw() && raw().contains(node);

  // The text of a piece of the raw view as the server counts it: code points, what is said to screen readers
  // left out, a character that is written out counted as one.
  function read(node, until, offset) {
    const piece = document.createRange();
    piece.setStart(node, 0);
    piece.setEnd(until, offset);
    let text = "", count = 0;
    const walk = (part) => {
      for (const one of part.childNodes) {
        if (one.nodeType === Node.TEXT_NODE) { text += one.data; count += [...one.data].length; }
        else if (one.classList.contains("unseen")) continue;
        else if (one.classList.contains("control")) { text += `[${one.textContent}]`; count += 1; }
        else walk(one);
      }
    };
    walk(piece.cloneContents());
    return { text, count };
  }

  // Whole characters only: a selection that ends within a written-out one takes all of it.
  function widened(range) {
    const wide = range.cloneRange();
    for (const [edge, move] of [["startContainer", "setStartBefore"], ["endContainer", "setEndAfter"]]) {
      const node = range[edge];
      const whole = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".control, .unseen");
      if (whole) wide[move](whole);
    }
    return wide;
  }

  function take() {
    const selection = window.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return false;
    if (!within(selection.anchorNode) || !within(selection.focusNode)) return false;
    const range = widened(selection.getRangeAt(0));
    const pre = raw().querySelector("pre");
    const before = read(pre, range.startContainer, range.startOffset);
    const whole = read(pre, range.endContainer, range.endOffset);
    field("quote").value = whole.text.slice(before.text.length);
    field("place").value = `${before.count}-${whole.count}`;
    leave();
    say("The evidence is taken.");
    return true;
  }

  function choose() {
    if (!raw()) return;
    raw().closest("details").open = true;
    if (take()) return;
    raw().classList.add("selecting");
    raw().focus();
    const selection = window.getSelection();
    selection.collapse(raw().querySelector("pre"), 0);
    selection.modify("extend", "forward", "word");
    show(selection);
    say("Arrow keys move, with Shift they select, Enter takes the selection, Escape leaves.");
  }

  function leave() {
    if (!raw()) return;
    window.getSelection().removeAllRanges();
    raw().classList.remove("selecting");
    document.getElementById("main").focus({ preventScroll: true });
  }

  const MOVES = {
    ArrowRight: ["forward", "word"], ArrowLeft: ["backward", "word"],
    ArrowDown: ["forward", "line"], ArrowUp: ["backward", "line"],
    Home: ["backward", "lineboundary"], End: ["forward", "lineboundary"],
  };

  // There is no caret in text that can't be edited, so one moves from word to selected word.
  function move(selection, direction, by, extends_) {
    const kept = selection.getRangeAt(0).cloneRange();
    if (extends_) selection.modify("extend", direction, by);
    else {
      if (direction === "forward") selection.collapseToEnd();
      else selection.collapseToStart();
      if (direction === "backward" || by !== "word") selection.modify("move", direction, by);
      selection.modify("extend", "forward", "word");
    }
    if (!within(selection.anchorNode) || !within(selection.focusNode) || selection.isCollapsed) {
      selection.removeAllRanges();
      selection.addRange(kept);
    }
    show(selection);
  }

  function show(selection) {
    const box = selection.getRangeAt(0).getBoundingClientRect();
    if (box.top < 0) window.scrollBy(0, box.top - 40);
    else if (box.bottom > window.innerHeight) window.scrollBy(0, box.bottom - window.innerHeight + 40);
  }

  function selecting(event) {
    if (!raw() || !raw().classList.contains("selecting")) return false;
    const selection = window.getSelection();
    if (event.key === "Escape") leave();
    else if (event.key === "Enter") { if (!take()) say("Nothing is selected."); }
    else if (event.key in MOVES && selection.rangeCount) move(selection, ...MOVES[event.key], event.shiftKey);
    else return false;
    return true;
  }

  document.addEventListener("input", (event) => {
    if (event.target === field("quote")) field("place").value = "";
  });

  // Keys

  const writes = (node) => node.matches("textarea, select, input:not([type=radio]), [contenteditable]");
  const ownEnter = (node) => node.matches("a, button, summary");

  function press(target) {
    const radio = target.querySelector("input[type=radio]");
    if (radio && radio.checked) { document.querySelector(`[name="${radio.name}"][value=""]`).checked = true; return; }
    if (target.htmlFor) { document.getElementById(target.htmlFor).focus(); return; }
    target.click();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    const node = event.target;
    if (writes(node)) {
      if (event.key === "Escape") { node.blur(); document.getElementById("main").focus({ preventScroll: true }); }
      return;
    }
    if (selecting(event)) { event.preventDefault(); return; }
    if (event.repeat || (event.key === "Enter" && ownEnter(node))) return;
    const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!target) return;
    event.preventDefault();
    if (event.key === "e") choose();
    else press(target);
  });

  // A page that htmx exchanged starts like one that was loaded

  document.addEventListener("htmx:afterSettle", () => {
    active = 0;
    touched = Date.now();
    if (!document.activeElement || document.activeElement === document.body)
      document.getElementById("main").focus({ preventScroll: true });
  });
})();
