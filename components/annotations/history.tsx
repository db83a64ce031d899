import type { Route } from "next";

import { Link } from "@/components/ui/link";
import { TimeText } from "@/components/ui/time-text";
import type { Annotation } from "@/lib/core/domain/annotation";
import { withBasePath } from "@/lib/core/domain/base-path";
import { compareText } from "@/lib/core/domain/compare-text";
import type { RecordedJudgment, ReviewerOnFile } from "@/lib/core/domain/judgment";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import type { ReviewState } from "@/lib/pages/annotations/review";

import { EvidenceLinks } from "./evidence";
import { AnnotationTime, JUDGMENT_WORDS, JudgmentWord, RECORDED_WORDS } from "./judgment-words";

import "./review.css";

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
            <p className="row">
              <JudgmentWord judgment={version.judgment} />
              <b className="cut">{version.reviewerId}</b>
              <AnnotationTime className="caption nowrap push" timestamp={version.timestamp} />
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
            {version.notes === null ? null : <p className="prose review-entry-notes">{version.notes}</p>}
            {onUse !== undefined && isOwn && version.status !== "current" ? (
              <button type="button" className="text-button review-use" onClick={() => onUse(version)}>
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
      <p className="row">
        <b className="cut">{`Decided: ${words} by ${decidedBy}`}</b>
        <AnnotationTime className="caption nowrap push" timestamp={decidedAt} />
      </p>
      <p className="prose review-entry-notes">{reason}</p>
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

interface RecordedJudgmentsProps {
  readonly judgments: readonly RecordedJudgment[];
  readonly reviewers: readonly ReviewerOnFile[];
  readonly hrefOf: (file: string) => Route;
  readonly listHref: Route;
}

/** Folded so that recorded judgments do not bias the reviewer. */
export function RecordedJudgments({ judgments, reviewers, hrefOf, listHref }: RecordedJudgmentsProps) {
  if (judgments.length === 0) return null;
  const byId = new Map(reviewers.map((reviewer) => [reviewer.reviewerId, reviewer]));
  return (
    <details className="review-history recorded">
      <summary>
        Recorded in files <span className="muted">{formatPlural(judgments.length, "judgment")}</span>
      </summary>
      <ol>
        {judgments.slice(0, LIST_ROWS).map((judgment, at) => (
          <RecordedEntry
            key={at}
            judgment={judgment}
            reviewer={judgment.reviewerId === null ? undefined : byId.get(judgment.reviewerId)}
            href={hrefOf(judgment.file)}
          />
        ))}
      </ol>
      {judgments.length > LIST_ROWS ? (
        <p className="caption">
          The first {LIST_ROWS} are shown; the <Link href={listHref}>list of recorded judgments</Link> has
          all.
        </p>
      ) : null}
      <p className="caption">
        They come from the ledger and its feedback folder, and are separate from the judgments saved here.
      </p>
    </details>
  );
}

interface RecordedEntryProps {
  readonly judgment: RecordedJudgment;
  readonly reviewer: ReviewerOnFile | undefined;
  readonly href: Route;
}

function RecordedEntry({ judgment, reviewer, href }: RecordedEntryProps) {
  const { kind, categories, notes, time, file } = judgment;
  return (
    <li>
      <p className="row">
        <RecordedVerdict judgment={judgment} />
        <TimeText className="caption nowrap push" time={time} />
      </p>
      <p>{describeWho(judgment)}</p>
      {reviewer === undefined ? null : <p className="caption">{describeReviewer(reviewer)}</p>}
      <EntryText categories={categories} notes={notes} />
      <p className="caption">
        {RECORDED_WORDS[kind]},{" "}
        <Link href={href} mode="stay" title={file}>
          {file.split("/").at(-1)}
        </Link>
      </p>
    </li>
  );
}

export function RecordedVerdict({ judgment }: { judgment: RecordedJudgment }) {
  const status = judgment.status?.replaceAll("_", " ") ?? "";
  if (judgment.judgment === null) return <span className="muted">{status === "" ? "note" : status}</span>;
  return (
    <span className="status-word">
      <JudgmentWord judgment={judgment.judgment} />
      {status === "" ? null : <span className="muted">{status}</span>}
    </span>
  );
}

function describeWho({ kind, reviewerId, discipline, calibrationVersion }: RecordedJudgment): string {
  const words = [
    kind === "adjudication" && reviewerId !== null ? `decided by ${reviewerId}` : reviewerId,
    discipline,
    calibrationVersion === null ? null : `for calibration ${calibrationVersion}`,
  ].filter((text) => text !== null);
  return words.length === 0 ? "no name given" : words.join(", ");
}

function describeReviewer({ calibrationStatus, calibrationVersion, calibrations }: ReviewerOnFile): string {
  const version = calibrationVersion === null ? "" : `, ${calibrationVersion}`;
  const stated = calibrationStatus === null ? [] : [`${calibrationStatus}${version}`];
  const rates = calibrations.map(({ version: name, agreementRate, nCases }) => {
    const rate = formatReward(agreementRate);
    const cases = nCases === null ? "" : ` of ${formatPlural(nCases, "case")}`;
    return `calibration ${name ?? MISSING}: agreement ${rate}${cases}`;
  });
  return [...stated, ...rates].join("; ");
}

export function EntryText({ categories, notes }: Pick<RecordedJudgment, "categories" | "notes">) {
  return (
    <>
      {categories.length === 0 ? null : <p className="review-entry-categories">{categories.join(", ")}</p>}
      {notes === null || notes === "" ? null : <p className="prose review-entry-notes">{notes}</p>}
    </>
  );
}
