import { Pin, X } from "lucide-react";
import type { Route } from "next";

import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ANCHOR_KINDS, type EvidenceAnchor } from "@/lib/core/domain/review";
import { type OpenTrial, openTrialHref } from "@/lib/pages/trial/address";

import { Problem } from "./statement-form";

import "./review.css";

export function nameAnchor({ kind, place, line }: EvidenceAnchor): string {
  const words = { step: "Step", test: "Test", dimension: "Dimension", artifact: "File" } as const;
  return `${words[kind]} ${place}${line === null ? "" : `, line ${line}`}`;
}

export function anchorHref(at: OpenTrial, { kind, place, source, line }: EvidenceAnchor): Route {
  switch (kind) {
    case "step":
      return openTrialHref(at, { source, step: place, line });
    case "test":
      return openTrialHref(at, { tab: "tests", test: place });
    case "dimension":
      return `${openTrialHref(at)}#dimensions` as Route; // A part of that page.
    case "artifact":
      return openTrialHref(at, { tab: "files", file: place, line });
  }
}

export function EvidenceLinks({ evidence, at }: { evidence: readonly EvidenceAnchor[]; at: OpenTrial }) {
  if (evidence.length === 0) return null;
  return (
    <ul className="evidence-list">
      {evidence.map((anchor) => (
        <EvidenceLine key={nameAnchor(anchor) + String(anchor.source)} anchor={anchor} at={at} />
      ))}
    </ul>
  );
}

interface EvidenceLineProps {
  readonly anchor: EvidenceAnchor;
  readonly at: OpenTrial;
  readonly onRemove?: () => void;
}

function EvidenceLine({ anchor, at, onRemove }: EvidenceLineProps) {
  const name = nameAnchor(anchor);
  return (
    <li className="row">
      <Pin size={14} aria-hidden />
      <Link href={anchorHref(at, anchor)} className="nowrap" mode="stay">
        {name}
      </Link>
      <span className="muted cut grow" title={anchor.quote ?? undefined}>
        {anchor.quote}
      </span>
      {onRemove === undefined ? null : (
        <Button look="bare" className="icon-only" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X size={14} aria-hidden />
        </Button>
      )}
    </li>
  );
}

interface EvidenceFieldProps {
  readonly evidence: readonly EvidenceAnchor[];
  readonly at: OpenTrial;
  readonly problem: string | undefined;
  readonly onAttach: () => void;
  readonly onChange: (evidence: readonly EvidenceAnchor[]) => void;
}

export function EvidenceField({ evidence, at, problem, onAttach, onChange }: EvidenceFieldProps) {
  return (
    <div className="review-part">
      <h3>
        Evidence
        <Button
          look="bare"
          className="evidence-attach"
          title="Attach the selected or focused step, line, test, dimension or file"
          // A click must not clear the text selection.
          onPointerDown={(event) => event.preventDefault()}
          onClick={onAttach}
        >
          Attach <CommandKey id="review.evidence" />
        </Button>
      </h3>
      {evidence.length === 0 ? (
        <p className="caption">Click a line or step of the trial, then attach it.</p>
      ) : (
        <ul className="evidence-list">
          {evidence.map((anchor, index) => (
            <EvidenceLine
              key={nameAnchor(anchor) + String(anchor.source)}
              anchor={anchor}
              at={at}
              onRemove={() => onChange(evidence.filter((_, other) => other !== index))}
            />
          ))}
        </ul>
      )}
      <Problem text={problem} />
    </div>
  );
}

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
  const spot = readLine(element);
  return {
    kind: "step",
    place: step.dataset["step"] ?? "",
    source: new URLSearchParams(location.search).get("source"),
    line: spot?.line ?? null,
    quote: spot?.quote ?? cut(step.querySelector(".step-head code")?.textContent) ?? quoteBody(step),
  };
}

function readMarked(marked: HTMLElement, element: Element): EvidenceAnchor | null {
  const { evidence, place = "" } = marked.dataset;
  const kind = ANCHOR_KINDS.find((one) => one === evidence);
  if (kind === undefined || place === "") return null;
  const { line = null, quote = null } = readLine(element) ?? {};
  return { kind, place, source: null, line, quote };
}

function readLine(element: Element) {
  const text = element.closest<HTMLElement>("[data-line]");
  const selection = getSelection();
  const node = selection?.anchorNode;
  if (!text || !selection || !node || !text.contains(node)) return null;
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
