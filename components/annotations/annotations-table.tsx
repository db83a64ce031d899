import { ChevronDown, ChevronUp } from "lucide-react";

import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { fitPage } from "@/lib/core/domain/page-bytes";
import { formatCount, MISSING } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { OUTCOME_WORDS, formatTask } from "@/lib/core/format/words";
import { type AnnotationsParams, annotationsHref } from "@/lib/pages/annotations/address";
import type { AnnotationRow, AnnotationsPage } from "@/lib/pages/annotations/page";

import "./annotations-table.css";
import type { ShownChains } from "@/lib/people/annotations";

import { JUDGMENT_LIST, type JudgmentLine } from "./judgment-columns";
import { AnnotationTime, JudgmentWord } from "./judgment-words";
import { Versions } from "./review-history";

interface AnnotationLine extends JudgmentLine {
  readonly row: AnnotationRow;
}

function listColumns(params: AnnotationsParams): readonly DataColumn<AnnotationLine>[] {
  return [
    ...JUDGMENT_LIST,
    column("Saved", ({ row }) => <AnnotationTime timestamp={row.annotation.timestamp} />, {
      phone: "second",
    }),
    column(
      "Versions",
      ({ row: { annotation, nVersions } }) => {
        const isOpen = params.open === annotation.versionId;
        const Chevron = isOpen ? ChevronUp : ChevronDown;
        return (
          <Link
            href={annotationsHref(params, { open: isOpen ? "" : annotation.versionId })}
            mode="replace"
            aria-expanded={isOpen}
            aria-label={`${nVersions > 1 ? `${String(nVersions)} versions` : "Note and versions"} of ${formatTask(annotation.subject)}, ${isOpen ? "fold" : "unfold"}`}
          >
            {nVersions > 1 ? nVersions : null}
            <Chevron size={14} aria-hidden />
          </Link>
        );
      },
      { numeric: true, phone: "labelled" },
    ),
  ];
}

export function AnnotationsTable({
  rows,
  opened,
  params,
}: Pick<AnnotationsPage, "rows" | "opened"> & { params: AnnotationsParams }) {
  const prefix = findSharedPrefix(rows.map(({ annotation }) => annotation.subject.taskName));
  return (
    <DataTable
      caption="Annotations"
      className="annotations"
      columns={listColumns(params)}
      rows={rows.map((row) => toLine(row, prefix))}
      rowKey={({ row }) => row.annotation.versionId}
      below={({ row: { annotation, found } }) =>
        opened !== null && params.open === annotation.versionId ? (
          <AnnotationVersions judged={opened} found={found} />
        ) : null
      }
    />
  );
}

function toLine(row: AnnotationRow, prefix: string): AnnotationLine {
  const { annotation, found, identity, standings } = row;
  const { subject } = annotation;
  const { outcomeSeen, rewardSeen } = subject;
  return {
    ...subject,
    prefix,
    row,
    trialName: found === null ? `${subject.trialName}, root ${subject.rootLabel}` : subject.trialName,
    trial: found,
    identity,
    outcome: found?.outcome ?? outcomeSeen,
    reward: found === null ? rewardSeen : found.reward,
    seen: standings.includes("stale") ? `${OUTCOME_WORDS[outcomeSeen]} ${rewardSeen ?? MISSING}` : null,
    judgment: (
      <>
        <JudgmentWord judgment={annotation.judgment} />
        {standings.includes("conflict") ? <span className="annotation-disagrees">conflict</span> : null}
        {standings.includes("decided") ? <Decided final={row.decided} /> : null}
        {standings.includes("disagrees") ? <span className="annotation-disagrees">disagrees</span> : null}
        {standings.includes("withdrawn") ? <span className="annotation-withdrawn">undone</span> : null}
      </>
    ),
    categories: cutReason(row.categories.map(describeCategory).join(", ")),
    notes: cutReason(annotation.notes ?? ""),
    reviewerId: annotation.reviewerId,
    discipline: annotation.reviewerDiscipline,
  };
}

function Decided({ final }: { final: AnnotationRow["decided"] }) {
  return <span className="annotation-disagrees">{final === null ? "left open" : `decided: ${final}`}</span>;
}

function describeCategory({ label, state }: AnnotationRow["categories"][number]): string {
  return state === "split" ? `${label} (split, choose again)` : label;
}

/** Bytes a row sends of its note, and of all its categories; unfolding it loads the rest. */
const MOST_REASON_BYTES = 1_500;

function cutReason(text: string): string {
  const kept = fitPage(text, MOST_REASON_BYTES);
  return kept === text ? text : `${kept}… (${formatCount(text.length)} characters)`;
}

function AnnotationVersions({ judged, found }: { judged: ShownChains; found: AnnotationRow["found"] }) {
  return (
    <div className="annotation-versions">
      <Versions
        judged={judged}
        at={found && { jobKey: found.jobKey, trialKey: found.key, list: null, queue: null }}
      />
      {found === null ? (
        <p className="muted">The trial is not in the open folders. Open its folder to restore the link.</p>
      ) : null}
    </div>
  );
}
