import type { AnchorKind, EvidenceAnchor } from "@/lib/core/domain/review";

/** Longest quote taken from a page; the store cuts what exceeds its own limit. */
const MOST_QUOTED = 280;

const PLACE = "[data-evidence]";
/** Marks the last place pointed at, which style sheets highlight as the place to attach. */
const POINTED = "data-pointed";

export function markEvidencePlace(): () => void {
  const point = (node: Node | null) => {
    const element = node instanceof Element ? node : (node?.parentElement ?? null);
    const place = element?.closest(`[data-step], ${PLACE}`) ?? null;
    if (place === null || place.hasAttribute(POINTED)) return;
    unmark();
    place.setAttribute(POINTED, "");
  };
  const onFocus = ({ target }: FocusEvent) => point(target instanceof Node ? target : null);
  const onSelect = () => point(getSelection()?.anchorNode ?? null);
  document.addEventListener("focusin", onFocus);
  document.addEventListener("selectionchange", onSelect);
  point(document.activeElement);
  return () => {
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("selectionchange", onSelect);
    unmark();
  };
}

function unmark(): void {
  for (const one of document.querySelectorAll(`[${POINTED}]`)) one.removeAttribute(POINTED);
}

export function findEvidencePlace(): EvidenceAnchor | null {
  const place =
    document.querySelector(`[${POINTED}]`) ??
    document.querySelector("[data-step].step-current") ??
    document.querySelector(PLACE);
  if (place === null) return null;
  const { anchorNode } = getSelection() ?? {};
  const selected = anchorNode instanceof Element ? anchorNode : (anchorNode?.parentElement ?? null);
  return readPlace(selected !== null && place.contains(selected) ? selected : place);
}

function readPlace(element: Element): EvidenceAnchor | null {
  const marked = element.closest<HTMLElement>(PLACE);
  const step = element.closest<HTMLElement>("[data-step]");
  if (marked !== null && (step === null || step.contains(marked))) return readMarked(marked, element);
  return step === null ? null : readStep(step, element);
}

function readStep(step: HTMLElement, element: Element): EvidenceAnchor {
  const text = element.closest<HTMLElement>("[data-line]");
  const spot = text === null ? null : readLine(text);
  return {
    kind: "step",
    place: step.dataset["step"] ?? "",
    source: new URLSearchParams(location.search).get("source"),
    line: spot?.line ?? null,
    quote: spot?.quote ?? cut(step.querySelector(".step-head code")?.textContent) ?? quoteBody(step),
  };
}

const KINDS: Readonly<Record<string, AnchorKind>> = {
  test: "test",
  dimension: "dimension",
  artifact: "artifact",
};

function readMarked(marked: HTMLElement, element: Element): EvidenceAnchor | null {
  const { evidence = "", place = "" } = marked.dataset;
  const kind = KINDS[evidence];
  if (kind === undefined || place === "") return null;
  const text = element.closest<HTMLElement>("[data-line]");
  const spot = text === null ? null : readLine(text);
  return { kind, place, source: null, line: spot?.line ?? null, quote: spot?.quote ?? null };
}

function readLine(text: HTMLElement): { readonly line: number; readonly quote: string | null } | null {
  const selection = getSelection();
  const node = selection?.anchorNode;
  if (!selection || !node || !text.contains(node)) return null;
  const before = new Range();
  before.selectNodeContents(text);
  before.setEnd(node, selection.anchorOffset);
  const nBefore = before.toString().split("\n").length - 1;
  const chosen = selection.toString().trim();
  const whole = text.textContent.split("\n")[nBefore] ?? "";
  return { line: Number(text.dataset["line"]) + nBefore, quote: cut(chosen === "" ? whole : chosen) };
}

function quoteBody(step: HTMLElement): string | null {
  return cut(step.querySelector("pre, p")?.textContent.trim().split("\n")[0]);
}

function cut(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed.slice(0, MOST_QUOTED).toWellFormed();
}
