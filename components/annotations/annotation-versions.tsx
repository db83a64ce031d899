import type { Annotation } from "@/lib/core/domain/annotation";
import { compareText } from "@/lib/core/domain/compare-text";
import type { AnnotationRow } from "@/lib/pages/annotations/page";
import type { ShownChains } from "@/lib/people/annotations";

import { AnnotationTime, HiddenVersions, JudgmentWord, nameSaver } from "./judgment-words";

export function AnnotationVersions({
  judged,
  found,
}: {
  judged: ShownChains;
  found: AnnotationRow["found"];
}) {
  const versions = judged.chains
    .flatMap((chain) => chain.versions)
    .toSorted((a, b) => compareText(b.timestamp, a.timestamp));
  return (
    <ol className="annotation-versions">
      {versions.map((version) => (
        <li key={version.versionId}>
          <p className="annotation-version-head">
            <JudgmentWord judgment={version.judgment} />
            <b>{version.reviewerId}</b>
            {version.reviewerDiscipline === null ? null : (
              <span className="muted">{version.reviewerDiscipline}</span>
            )}
            <AnnotationTime className="muted" timestamp={version.timestamp} />
            <span className="muted">
              <VersionState version={version} />
            </span>
            {version.savedBy === null ? null : (
              <span className="muted">saved by {nameSaver(version.savedBy)}</span>
            )}
            {version.categories.length === 0 ? null : <span>{version.categories.join(", ")}</span>}
          </p>
          {version.notes === null ? null : <p className="annotation-note">{version.notes}</p>}
        </li>
      ))}
      {judged.nHidden === 0 ? null : (
        <li>
          <HiddenVersions nHidden={judged.nHidden} />
        </li>
      )}
      {found === null ? (
        <li className="muted">
          The trial is not in the open folders. Open the folder that holds it now to restore the link:
          judgments follow the ids of trial and job.
        </li>
      ) : null}
    </ol>
  );
}

function VersionState({ version: { status, withdrawnAt, withdrawnBy } }: { version: Annotation }) {
  if (status === "current") return "counts";
  if (status === "superseded") return "replaced";
  if (withdrawnAt === null) return "undone";
  return (
    <>
      {withdrawnBy === null ? "undone" : `undone by ${nameSaver(withdrawnBy)}`}{" "}
      <AnnotationTime timestamp={withdrawnAt} />
    </>
  );
}
