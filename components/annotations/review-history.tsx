import { compareText } from "@/lib/domain/compare-text";
import type { Annotation } from "@/lib/domain/annotation";
import { formatPlural } from "@/lib/format/number";
import type { ReviewState } from "@/lib/queries/annotations-page-review";

import { AnnotationTime } from "./annotation-time";
import { JudgmentWord } from "./judgment-word";

/**
 * Every stored version of every reviewer, newest first. Closed at first, so that others' judgments do not lead the one
 * who is judging.
 */
export function ReviewHistory({
  chains,
  ownKey,
  onUse,
}: {
  chains: ReviewState["chains"];
  ownKey: string | null;
  onUse: (version: Annotation) => void;
}) {
  const versions = chains
    .flatMap((chain) => chain.versions.map((version) => ({ version, isOwn: chain.reviewerKey === ownKey })))
    .toSorted((a, b) => compareText(b.version.timestamp, a.version.timestamp));
  if (versions.length === 0) return null;
  return (
    <details className="review-history">
      <summary>
        History{" "}
        <span className="muted">{`${formatPlural(versions.length, "version")} by ${formatPlural(chains.length, "reviewer")}`}</span>
      </summary>
      <ol>
        {versions.map(({ version, isOwn }) => (
          <li key={version.versionId} className={version.status === "current" ? undefined : "review-old"}>
            <HistoryEntry version={version} onUse={isOwn ? onUse : null} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function HistoryEntry({
  version,
  onUse,
}: {
  version: Annotation;
  onUse: ((version: Annotation) => void) | null;
}) {
  return (
    <>
      <p className="review-entry-head">
        <JudgmentWord judgment={version.judgment} />
        <b className="cut" title={version.reviewerDiscipline ?? undefined}>
          {version.reviewerId}
        </b>
        <AnnotationTime timestamp={version.timestamp} />
      </p>
      {version.status === "current" ? null : (
        <p className="caption">
          {version.status === "superseded" ? (
            "Replaced by a later version"
          ) : (
            <>
              Taken back <AnnotationTime timestamp={version.withdrawnAt ?? version.timestamp} />
            </>
          )}
        </p>
      )}
      {version.categories.length === 0 ? null : (
        <p className="review-entry-categories">{version.categories.join(", ")}</p>
      )}
      {version.notes === null ? null : <p className="review-entry-notes">{version.notes}</p>}
      {onUse === null || version.status === "current" ? null : (
        <button type="button" className="review-use" onClick={() => onUse(version)}>
          Use this text again
        </button>
      )}
    </>
  );
}
