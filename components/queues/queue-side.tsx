import type { Route } from "next";

import { AnnotationTime } from "@/components/annotations/judgment-words";
import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import type { DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPercent, formatPlural, MISSING } from "@/lib/core/format/number";
import { conflictsHref, verifierHref } from "@/lib/pages/annotations/review-address";
import type { CoverageLine, QueuePage } from "@/lib/pages/queues/queue";

import { BLIND_WORDS, GOAL_WORDS, METHOD_WORDS, ORDER_WORDS } from "./queue-words";

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
    <Section title="Coverage" note="by agent and outcome">
      <DataTable
        caption="Reviewed trials by agent and outcome"
        className="table-compact"
        columns={COVERAGE}
        rows={lines.slice(0, MOST_AGENTS)}
        rowKey={({ agent, model }) => JSON.stringify([agent, model])}
      />
      {lines.length > MOST_AGENTS ? (
        <p className="caption">
          {formatCount(MOST_AGENTS)} of {formatPlural(lines.length, "agent")} are shown.
        </p>
      ) : null}
    </Section>
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
          <dt key={`${name} name`}>{name}</dt>,
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
