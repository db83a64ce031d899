import { Pin, X } from "lucide-react";
import type { Route } from "next";

import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { EvidenceAnchor } from "@/lib/core/domain/review";
import { type OpenTrial, openTrialHref } from "@/lib/pages/trial/address";

import { Problem } from "./statement-form";

import "./evidence-list.css";

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

function EvidenceLine({
  anchor,
  at,
  onRemove,
}: {
  anchor: EvidenceAnchor;
  at: OpenTrial;
  onRemove?: () => void;
}) {
  const name = nameAnchor(anchor);
  return (
    <li className="row">
      <Pin size={14} aria-hidden className="evidence-pin" />
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

export function EvidenceField({
  evidence,
  at,
  problem,
  onAttach,
  onChange,
}: {
  evidence: readonly EvidenceAnchor[];
  at: OpenTrial;
  problem: string | undefined;
  onAttach: () => void;
  onChange: (evidence: readonly EvidenceAnchor[]) => void;
}) {
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
