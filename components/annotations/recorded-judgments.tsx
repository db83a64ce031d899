import type { Route } from "next";

import { Link } from "@/components/ui/link";
import { TimeText } from "@/components/ui/time-text";
import type { RecordedJudgment, ReviewerOnFile } from "@/lib/core/domain/judgment";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatPlural, formatReward, MISSING } from "@/lib/core/format/number";

import { JudgmentWord, ADJUDICATION_WORDS, RECORDED_WORDS } from "./judgment-words";

import "./review-history.css";

/** Folded so that recorded judgments do not bias the reviewer. */
export function RecordedJudgments({
  judgments,
  reviewers,
  hrefOf,
  listHref,
}: {
  judgments: readonly RecordedJudgment[];
  reviewers: readonly ReviewerOnFile[];
  hrefOf: (file: string) => Route;
  listHref: Route;
}) {
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

function RecordedEntry({
  judgment,
  reviewer,
  href,
}: {
  judgment: RecordedJudgment;
  reviewer: ReviewerOnFile | undefined;
  href: Route;
}) {
  const { kind, categories, notes, time, file } = judgment;
  return (
    <li>
      <p className="row review-entry-head">
        <RecordedVerdict judgment={judgment} />
        <TimeText className="caption nowrap" time={time} />
      </p>
      <p>{describeWho(judgment)}</p>
      {reviewer === undefined ? null : <p className="caption">{describeReviewer(reviewer)}</p>}
      {categories.length === 0 ? null : <p className="review-entry-categories">{categories.join(", ")}</p>}
      {notes === null || notes === "" ? null : <p className="review-entry-notes">{notes}</p>}
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
  const status = judgment.status === null ? "" : ADJUDICATION_WORDS[judgment.status];
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
