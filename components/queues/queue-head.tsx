import type { Route } from "next";

import { JUDGMENT_MARKS, JUDGMENT_WORDS, AnnotationTime } from "@/components/annotations/judgment-words";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import type { DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { JUDGMENTS, type Judgment } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, type QueueSettings } from "@/lib/core/domain/review";
import { formatCount, formatPercent, formatPlural, MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { capitalise } from "@/lib/core/format/words";
import { conflictsHref, verifierHref } from "@/lib/pages/annotations/review-address";
import { type QueueParams, queuePageHref } from "@/lib/pages/queues/address";
import type { CoverageLine } from "@/lib/pages/queues/queue";
import type { QueuePage } from "@/lib/pages/queues/queue";

import { ConflictsLink } from "./queue-actions";
import {
  BLIND_NOUNS,
  DRAWN_WORDS,
  STANDING_HEADINGS,
  BLIND_WORDS,
  GOAL_WORDS,
  METHOD_WORDS,
  ORDER_WORDS,
} from "./queue-words";

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
  const joined = new Intl.ListFormat("en-GB").format(words);
  const isPlural = words.length > 1 || hides.some((part) => part === "reviewers" || part === "suggestions");
  return `${capitalise(joined)} ${isPlural ? "are" : "is"} hidden until you save.`;
}

export function QueueProgress({ page: { mine, counts, reviewer } }: { page: QueuePage }) {
  const total = mine.nReviewed + mine.nLeft;
  const words = `${formatCount(mine.nReviewed)} of ${formatCount(total)}`;
  return (
    <div className="flow queue-progress">
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
    <StatusWord key={judgment} status={JUDGMENT_MARKS[judgment]}>
      {formatCount(counts[judgment])} {JUDGMENT_WORDS[judgment].toLowerCase()}
    </StatusWord>
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

export function QueueNotes({ page }: { page: QueuePage }) {
  const { queue, counts, isReviewer, reviewer } = page;
  return (
    <>
      {isReviewer || reviewer.reviewerKey === "" ? null : (
        <p className="caption">
          This queue is for {queue.settings.reviewers.join(", ")}. You are viewing as {reviewer.reviewerId}.
        </p>
      )}
      {page.problem === null ? null : (
        <Notice title="Trials of this queue cannot be read" tone="error">
          {page.problem}
        </Notice>
      )}
      {counts.nLost === 0 ? null : (
        <p className="caption" role="status">
          {formatPlural(counts.nLost, "trial is", "trials are")} not in any open folder. Their judgments are
          kept.
        </p>
      )}
    </>
  );
}

export function QueueFilters({ page, params }: { page: QueuePage; params: QueueParams }) {
  const facet = facetsOf(params, (change) => queuePageHref(page.queue.queueId, params, change));
  return (
    <FilterBar count={formatPlural(page.nMatching, "trial")}>
      <FilterText label="Filter trials" />
      {facet("State", "standings", page.facets.standings, (standing) => STANDING_HEADINGS[standing])}
      {facet("Reviewer", "reviewers", page.facets.reviewers)}
      {facet("Category", "categories", page.facets.categories)}
    </FilterBar>
  );
}

const FILTERS: readonly Filter<QueueParams>[] = [
  ["Text", { text: "" }],
  ["State", { standings: [] }],
  ["Reviewer", { reviewers: [] }],
  ["Category", { categories: [] }],
];

export function NoQueueRows({ queueId, ...list }: Filtered<QueueParams> & { queueId: string }) {
  return (
    <NoMatches
      {...list}
      noun="trial"
      filters={FILTERS}
      hrefOf={(params, change) => queuePageHref(queueId, params, change)}
    />
  );
}

/** Sampling methods whose labels the verifier page uses. */
const CHANCE: ReadonlySet<string> = new Set(["random", "stratified", "planned"]);

export function QueueSide({ page }: { page: QueuePage }) {
  return (
    <aside className="queue-side" aria-label="About the queue">
      <Coverage lines={page.coverage} />
      <Agreement {...page} />
      <Section title="Corrected score">
        <p>
          From {formatPlural(page.counts.nJudgments, "judgment")} of this queue. <Correction page={page} />
        </p>
      </Section>
      <Settings page={page} />
    </aside>
  );
}

function Correction({ page: { queue, isSourceShown, noCorrection } }: { page: QueuePage }) {
  if (!isSourceShown) return "The corrected score is hidden until you have judged all of yours.";
  const href = CHANCE.has(queue.settings.method) ? verifierHref({ queue: queue.queueId }) : null;
  const words = noCorrection === null ? "Verifier accuracy, and the corrected score" : "Verifier accuracy";
  return (
    <>
      {noCorrection === null ? null : `${noCorrection} `}
      {href === null ? null : <Link href={href}>{words}</Link>}
    </>
  );
}

const MOST_AGENTS = 30;

const COVERAGE: readonly DataColumn<CoverageLine>[] = [
  { id: "agent", header: "Agent", cell: (line) => <AgentName {...line} /> },
  { id: "passed", header: "Passed", cell: ({ passed }) => <Share {...passed} /> },
  { id: "failed", header: "Not passed", cell: ({ failed }) => <Share {...failed} /> },
  {
    id: "unknown",
    header: "Unknown",
    isFilled: ({ unknown }) => unknown.nTrials > 0,
    cell: ({ unknown }) => <Share {...unknown} />,
  },
];

function Coverage({ lines }: { lines: QueuePage["coverage"] }) {
  if (lines === null)
    return (
      <Section title="Coverage">
        <p>Hidden until you have judged all of yours.</p>
      </Section>
    );
  return (
    <TableSection
      title="Coverage"
      note="by agent and outcome"
      caption="Reviewed trials by agent and outcome"
      most={MOST_AGENTS}
      columns={COVERAGE}
      rows={lines}
      rowKey={({ agent, model }) => JSON.stringify([agent, model])}
    />
  );
}

function Share({ nReviewed, nComplete, nTrials }: CoverageLine["passed"]) {
  if (nTrials === 0) return <span className="muted">{MISSING}</span>;
  return (
    <>
      {formatCount(nReviewed)} <span className="muted">of {formatCount(nTrials)}</span>
      {nComplete === nReviewed ? null : (
        <span className="caption queue-complete">{formatCount(nComplete)} complete</span>
      )}
    </>
  );
}

function Agreement({ queue, counts: { nDouble, nAgreed, nConflicts } }: Pick<QueuePage, "queue" | "counts">) {
  return (
    <Section title="Agreement">
      <p>
        {nDouble === 0 ? (
          "No trials reviewed twice yet."
        ) : (
          <>
            {formatCount(nAgreed)} of {formatPlural(nDouble, "trial")} reviewed twice agreed,{" "}
            {formatPlural(nConflicts, "conflict")} to decide.
          </>
        )}{" "}
        <Link href={conflictsHref({ queue: queue.queueId })}>Agreement and conflicts</Link>
      </p>
    </Section>
  );
}

function Settings({ page: { queue, isSourceShown } }: { page: QueuePage }) {
  const { settings } = queue;
  const rows: readonly (readonly [string, React.ReactNode])[] = [
    ["Goal", GOAL_WORDS[settings.goal]],
    ["Made from", isSourceShown ? <Source {...settings} /> : "hidden until you reviewed your part"],
    ["Trials", METHOD_WORDS[settings.method]],
    ["Order", ORDER_WORDS[settings.order]],
    ["Seed", settings.seed ?? "nothing left to chance"],
    ["Reviewers", settings.reviewers.length === 0 ? "Anybody" : settings.reviewers.join(", ")],
    ["Reviewed twice", formatPercent(settings.doubleShare)],
    ["Hidden", settings.hides.map((part) => BLIND_WORDS[part]).join("; ") || "Nothing"],
    ["Categories", settings.isOpenCoding ? "Open coding: notes first" : "From the codebook"],
    ["Made by", queue.createdBy || "no name given"],
    ["Made", <AnnotationTime key="made" timestamp={queue.createdAt} />],
  ];
  return (
    <details className="queue-settings">
      <summary>Queue settings</summary>
      <dl>
        {rows.map(([name, value]) => [
          <dt key={`${name} name`} className="muted">
            {name}
          </dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
    </details>
  );
}

/** The URL is one of Assay's own: the code that makes a queue computes it. */
function Source({ source, sourceHref }: { source: string; sourceHref: string | null }) {
  const isOwn = sourceHref?.startsWith("/") === true && !sourceHref.startsWith("//");
  return isOwn ? <Link href={sourceHref as Route}>{source}</Link> : source; // Checked to be a path of this site.
}
