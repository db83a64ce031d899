import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { ButtonLink } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { JUDGMENTS, type Judgment } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, type QueueSettings } from "@/lib/core/domain/review";
import { formatCount, formatPercent, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { conflictsHref, verifierHref } from "@/lib/pages/annotations/review-address";
import type { QueuePage } from "@/lib/pages/queues/queue";

import { ConflictsLink } from "./conflicts-link";
import { BLIND_NOUNS, DRAWN_WORDS } from "./queue-words";

export function describeQueue({ queue: { settings }, counts }: Pick<QueuePage, "queue" | "counts">): string {
  const { strata, method, doubleShare } = settings;
  const nPool = strata.reduce((sum, { nTrials }) => sum + nTrials, 0);
  const trials =
    nPool > counts.nTrials
      ? `${formatCount(counts.nTrials)} of ${formatPlural(nPool, "trial")}`
      : formatPlural(counts.nTrials, "trial");
  const twice =
    doubleShare === 0
      ? ""
      : doubleShare === 1
        ? ", all of them reviewed twice"
        : doubleShare === 0.5
          ? ", half of them reviewed twice"
          : `, ${formatPercent(doubleShare)} of them reviewed twice`;
  return `${trials}, ${DRAWN_WORDS[method]}${twice}. ${describeHidden(settings)}`;
}

function describeHidden({ hides }: Pick<QueueSettings, "hides">): string {
  const order = [BLIND_PARTS[2], BLIND_PARTS[1], BLIND_PARTS[0], BLIND_PARTS[3]];
  const words = order.filter((part) => hides.includes(part)).map((part) => BLIND_NOUNS[part]);
  if (words.length === 0) return "Nothing is hidden.";
  const last = words.at(-1) ?? "";
  const joined = words.length === 1 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
  const isPlural = words.length > 1 || hides.some((part) => part === "reviewers" || part === "suggestions");
  return `${joined.charAt(0).toUpperCase()}${joined.slice(1)} ${isPlural ? "are" : "is"} hidden until you save.`;
}

export function QueueProgress({ page: { mine, counts, reviewer } }: { page: QueuePage }) {
  const total = mine.nReviewed + mine.nLeft;
  const words = `${formatCount(mine.nReviewed)} of ${formatCount(total)}`;
  return (
    <div className="queue-progress">
      {reviewer.reviewerKey === "" || total === 0 ? null : (
        <>
          <span>
            <b>{words}</b> reviewed by you
          </span>
          <JudgmentCounts counts={mine.byJudgment} />
          <span className="queue-meter" role="img" aria-label={words}>
            <span style={{ width: `${mine.share * 100}%` }} />
          </span>
          <span className="muted">{describePace(mine)}</span>
        </>
      )}
      <span className="muted">
        {formatCount(counts.nReviewed)} of {formatPlural(counts.nTrials, "trial")} fully reviewed
      </span>
    </div>
  );
}

function describePace({ pace, nLeft }: QueuePage["mine"]): string {
  if (nLeft === 0) return "nothing left for you";
  if (pace.medianSeconds === null || pace.secondsLeft === null)
    return `${formatCount(nLeft)} left; an estimate appears after four judgments`;
  return `about ${formatDuration(pace.secondsLeft * 1000)} left at ${formatDuration(pace.medianSeconds * 1000)} per trial`;
}

function JudgmentCounts({ counts }: { counts: Readonly<Record<Judgment, number>> }) {
  return JUDGMENTS.filter((judgment) => counts[judgment] > 0).map((judgment) => (
    <span key={judgment} className="status-word">
      <Mark status={JUDGMENT_MARKS[judgment]} />
      {formatCount(counts[judgment])} {JUDGMENT_WORDS[judgment].toLowerCase()}
    </span>
  ));
}

export function QueueSummary({ page: { queue, counts, mine, noCorrection } }: { page: QueuePage }) {
  if (counts.nReviewed < counts.nTrials) return null;
  const { nDouble, nAgreed, nConflicts, byFinal } = counts;
  const pace = mine.pace.medianSeconds;
  return (
    <Notice
      title={`All ${formatPlural(counts.nTrials, "trial")} reviewed`}
      actions={
        <>
          {nConflicts === 0 ? null : (
            <ConflictsLink
              href={conflictsHref({ queue: queue.queueId })}
              nConflicts={nConflicts}
              hasUnjudged={mine.nToDecide > 0}
            />
          )}
          {noCorrection === null ? (
            <ButtonLink href={verifierHref({ queue: queue.queueId })}>Verifier accuracy</ButtonLink>
          ) : null}
        </>
      }
    >
      <p>
        Agreed or decided: {formatCount(byFinal.pass)} pass, {formatCount(byFinal.fail)} fail,{" "}
        {formatCount(byFinal.defer)} defer.{" "}
        {pace === null ? "" : `You took ${formatDuration(pace * 1000)} per trial. `}
        {nDouble === 0
          ? "No trials reviewed twice."
          : `Reviewers agree on ${formatCount(nAgreed)} of ${formatPlural(nDouble, "trial")} reviewed twice; ${formatPlural(nConflicts, "conflict")} left.`}
      </p>
    </Notice>
  );
}
