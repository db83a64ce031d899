import type { Annotation } from "@/lib/core/domain/annotation";
import { withBasePath } from "@/lib/core/domain/base-path";
import { compareText } from "@/lib/core/domain/compare-text";
import { formatPlural } from "@/lib/core/format/number";
import type { ReviewState } from "@/lib/pages/annotations/review";

import { EvidenceLinks } from "./evidence-list";
import { AnnotationTime, JUDGMENT_WORDS, JudgmentWord } from "./judgment-words";

import "./review-history.css";

/** Folded so that earlier versions do not bias the reviewer. */
export function ReviewHistory({
  judged,
  decision,
  ...rest
}: VersionsProps & { decision: ReviewState["decision"] }) {
  if (judged.nVersions === 0) return null;
  return (
    <details className="review-history">
      <summary>
        History{" "}
        <span className="muted">{`${formatPlural(judged.nVersions, "version")} by ${formatPlural(judged.nReviewers, "reviewer")}${decision === null ? "" : ", decided"}`}</span>
      </summary>
      {decision === null ? null : <Decided decision={decision} />}
      <Versions judged={judged} {...rest} />
    </details>
  );
}

interface VersionsProps {
  readonly judged: ReviewState["judged"];
  /** The trial that the evidence is in; null if no open folder has it. */
  readonly at: ReviewState["at"] | null;
  readonly ownKey?: string | null;
  readonly onUse?: (version: Annotation) => void;
}

/** All versions of the judgments of one trial, newest first. */
export function Versions({ judged, at, ownKey = null, onUse }: VersionsProps) {
  const versions = judged.chains
    .flatMap((chain) => chain.versions.map((version) => ({ version, isOwn: chain.reviewerKey === ownKey })))
    .toSorted((a, b) => compareText(b.version.timestamp, a.version.timestamp));
  return (
    <>
      <ol>
        {versions.map(({ version, isOwn }) => (
          <li key={version.versionId} className={version.status === "current" ? undefined : "review-old"}>
            <p className="row review-entry-head">
              <JudgmentWord judgment={version.judgment} />
              <b className="cut">{version.reviewerId}</b>
              <AnnotationTime className="caption nowrap" timestamp={version.timestamp} />
            </p>
            {version.reviewerDiscipline === null ? null : (
              <p className="caption">{version.reviewerDiscipline}</p>
            )}
            {version.savedBy === null ? null : <p className="caption">Saved by an {version.savedBy}</p>}
            {version.status === "current" ? null : <p className="caption">{describeEnd(version)}</p>}
            {version.categories.length === 0 ? null : (
              <p className="review-entry-categories">{version.categories.join(", ")}</p>
            )}
            {at === null ? null : <EvidenceLinks evidence={version.evidence} at={at} />}
            {version.notes === null ? null : <p className="review-entry-notes">{version.notes}</p>}
            {onUse !== undefined && isOwn && version.status !== "current" ? (
              <button type="button" className="review-use" onClick={() => onUse(version)}>
                Use this text again
              </button>
            ) : null}
          </li>
        ))}
      </ol>
      {judged.nHidden === 0 ? null : (
        <p className="caption">
          {formatPlural(judged.nHidden, "more version")} of this trial not shown.{" "}
          <a href={withBasePath("/annotations/export?history=1")} download>
            Export with history
          </a>{" "}
          has all of them.
        </p>
      )}
    </>
  );
}

function Decided({
  decision: { finalJudgment, decidedBy, decidedAt, reason },
}: {
  decision: NonNullable<ReviewState["decision"]>;
}) {
  const words = finalJudgment === null ? "left open" : JUDGMENT_WORDS[finalJudgment].toLowerCase();
  return (
    <div className="review-decided">
      <p className="row review-entry-head">
        <b className="cut">{`Decided: ${words} by ${decidedBy}`}</b>
        <AnnotationTime className="caption nowrap" timestamp={decidedAt} />
      </p>
      <p className="review-entry-notes">{reason}</p>
    </div>
  );
}

function describeEnd({ status, withdrawnAt, withdrawnBy, timestamp }: Annotation) {
  if (status === "superseded") return "Replaced by a later version";
  return (
    <>
      {withdrawnBy === null ? "Undone" : `Undone by an ${withdrawnBy}`}{" "}
      <AnnotationTime timestamp={withdrawnAt ?? timestamp} />
    </>
  );
}
