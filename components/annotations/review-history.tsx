import { compareText } from "@/lib/domain/compare-text";
import type { Annotation } from "@/lib/domain/annotation";
import { formatPlural } from "@/lib/format/number";
import type { ReviewState } from "@/lib/queries/annotations/review";

import { AnnotationTime } from "./annotation-time";
import { HiddenVersions } from "./hidden-versions";
import { JudgmentWord } from "./judgment-word";

/**
 * The stored versions of every reviewer, newest first, as many as fit on a page. Closed at first, so that others' judgments do not lead the one
 * who is judging.
 */
export function ReviewHistory({
  judged,
  ownKey,
  onUse,
}: {
  judged: ReviewState["judged"];
  ownKey: string | null;
  onUse: (version: Annotation) => void;
}) {
  const versions = judged.chains
    .flatMap((chain) => chain.versions.map((version) => ({ version, isOwn: chain.reviewerKey === ownKey })))
    .toSorted((a, b) => compareText(b.version.timestamp, a.version.timestamp));
  if (judged.nVersions === 0) return null;
  return (
    <details className="review-history">
      <summary>
        History{" "}
        <span className="muted">{`${formatPlural(judged.nVersions, "version")} by ${formatPlural(judged.nReviewers, "reviewer")}`}</span>
      </summary>
      <ol>
        {versions.map(({ version, isOwn }) => (
          <li key={version.versionId} className={version.status === "current" ? undefined : "review-old"}>
            <HistoryEntry version={version} onUse={isOwn ? onUse : null} />
          </li>
        ))}
      </ol>
      <HiddenVersions nHidden={judged.nHidden} />
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
      {version.savedBy === null ? null : <p className="caption">Saved by an admin</p>}
      {version.status === "current" ? null : (
        <p className="caption">
          {version.status === "superseded" ? (
            "Replaced by a later version"
          ) : (
            <>
              {version.withdrawnBy === null ? "Taken back" : "Taken back by an admin"}{" "}
              <AnnotationTime timestamp={version.withdrawnAt ?? version.timestamp} />
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
