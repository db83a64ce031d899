import { annotationsHref, type AnnotationsParams } from "@/lib/addresses/annotations";
import { AgentName } from "@/components/ui/agent-name";
import { Mark } from "@/components/ui/mark";
import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import type { Annotation } from "@/lib/domain/annotation";
import { fitPage } from "@/lib/domain/page-bytes";
import { trialHref } from "@/lib/addresses/href";
import { formatCount, MISSING } from "@/lib/format/number";
import { OUTCOME_WORDS } from "@/lib/format/words";
import type { AnnotationRow, AnnotationsPage } from "@/lib/queries/annotations/page";

import { AnnotationTime, JudgmentWord } from "./judgment-words";
import { AnnotationVersions } from "./annotation-versions";

import "./annotations-table.css";

const COLUMNS = [
  { id: "task", label: "Task and job" },
  { id: "agent", label: "Agent and model", minor: true },
  { id: "verifier", label: "Verifier" },
  { id: "judgment", label: "Judgment" },
  { id: "reason", label: "Categories and note" },
  { id: "reviewer", label: "Reviewer" },
  { id: "when", label: "Saved" },
  { id: "versions", label: "Versions", numeric: true },
];

/** Judgments, newest first. The version count unfolds the whole note and every version of the trial. */
export function AnnotationsTable({
  rows,
  opened,
  params,
}: Pick<AnnotationsPage, "rows" | "opened"> & {
  params: AnnotationsParams;
}) {
  return (
    <Table caption="Annotations" columns={COLUMNS}>
      <tbody>
        {rows.map((row) => (
          <AnnotationLines key={row.annotation.versionId} row={row} opened={opened} params={params} />
        ))}
      </tbody>
    </Table>
  );
}

function AnnotationLines({
  row,
  opened,
  params,
}: Pick<AnnotationsPage, "opened"> & {
  readonly row: AnnotationRow;
  readonly params: AnnotationsParams;
}) {
  const { annotation, found, standings } = row;
  const { subject } = annotation;
  const isOpen = params.open === annotation.versionId;
  const nVersions = row.chains.reduce((sum, chain) => sum + chain.versions.length, 0);
  return (
    <>
      <tr className={isOpen ? "annotation-row continued" : "annotation-row"} id={annotation.versionId}>
        <td className="name">
          <TrialLink row={row} />
        </td>
        <td className="minor">
          <AgentName identity={row.identity} agent={subject.agent} model={subject.model} />
        </td>
        <td>
          <VerifierCell row={row} />
        </td>
        <td>
          <JudgmentWord judgment={annotation.judgment} />
          {standings.includes("disagrees") ? <span className="annotation-disagrees">disagrees</span> : null}
          {standings.includes("withdrawn") ? <span className="annotation-withdrawn">withdrawn</span> : null}
        </td>
        <td className="annotation-reason">
          <ReasonCell annotation={annotation} />
        </td>
        <td
          className="annotation-reviewer"
          title={[annotation.reviewerId, annotation.reviewerDiscipline].filter(Boolean).join(", ")}
        >
          {annotation.reviewerId}
        </td>
        <td>
          <AnnotationTime timestamp={annotation.timestamp} />
        </td>
        <td className="numeric">
          <SoftLink
            href={annotationsHref(params, { open: isOpen ? "" : annotation.versionId })}
            way="replace"
            aria-expanded={isOpen}
            aria-label={`${String(nVersions)} versions of ${subject.taskName}, ${isOpen ? "fold" : "unfold"}`}
          >
            {nVersions}
          </SoftLink>
        </td>
      </tr>
      {isOpen && opened !== null ? (
        <tr className="annotation-detail">
          <td colSpan={COLUMNS.length} className="wrap">
            <AnnotationVersions judged={opened} found={found} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** As much of a note, and of all categories together, as a row sends; unfolding it has them whole. */
const MOST_REASON_BYTES = 1_500;

function ReasonCell({ annotation }: { annotation: Annotation }) {
  const categories = cutReason(annotation.categories.join(", "));
  const notes = annotation.notes === null ? null : cutReason(annotation.notes);
  return (
    <span className="cut" title={[categories, notes].filter(Boolean).join("\n")}>
      {categories === "" ? null : <b>{categories}</b>}
      {categories !== "" && notes !== null ? ", " : null}
      {notes ?? (categories === "" ? MISSING : "")}
    </span>
  );
}

function cutReason(text: string): string {
  const kept = fitPage(text, MOST_REASON_BYTES);
  return kept === text ? text : `${kept}… (${formatCount(text.length)} characters)`;
}

function TrialLink({ row: { annotation, found } }: { row: AnnotationRow }) {
  const { subject } = annotation;
  return (
    <span className="annotation-trial">
      {found === null ? (
        <span className="annotation-lost" title={`${subject.trialName}, root ${subject.rootLabel}`}>
          {subject.taskName}
        </span>
      ) : (
        <SoftLink href={trialHref(found.jobKey, found.trialKey)} data-row-link="" title={subject.trialName}>
          {subject.taskName}
        </SoftLink>
      )}
      <span className="muted cut" title={subject.jobName}>
        {found === null
          ? `trial not found, was in ${subject.jobName}`
          : `attempt ${String(found.attempt)}, ${subject.jobName}`}
      </span>
    </span>
  );
}

/** The outcome as it is now; when it changed since the reviewer judged, what was seen stands beside it. */
function VerifierCell({ row: { annotation, found, standings } }: { row: AnnotationRow }) {
  const { outcomeSeen, rewardSeen } = annotation.subject;
  const outcome = found?.outcome ?? outcomeSeen;
  const reward = found === null ? rewardSeen : found.reward;
  return (
    <>
      <span className="status-word" title={found === null ? "As the reviewer saw it" : undefined}>
        <Mark status={outcome} />
        {OUTCOME_WORDS[outcome]}
        <span className="muted">{reward ?? MISSING}</span>
      </span>
      {standings.includes("stale") ? (
        <span className="muted" title="The outcome or reward on disk changed after the judgment">
          {` was ${OUTCOME_WORDS[outcomeSeen]} ${rewardSeen ?? MISSING}`}
        </span>
      ) : null}
    </>
  );
}
