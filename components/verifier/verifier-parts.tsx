import type { Route } from "next";
import type { ReactNode } from "react";

import { PlaneFigure } from "@/components/charts/plane-figure";
import { ForAction } from "@/components/shell/account-context";
import { AgentShape } from "@/components/ui/agent-mark";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { intervalColumn, IntervalPlot, percent, PLAIN, StripMark } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import { placeOn } from "@/lib/core/charts/ticks";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import {
  newQueueHref,
  QUEUES_HREF,
  verifierHref,
  type VerifierParams,
} from "@/lib/pages/annotations/review-address";
import type { VerifierPage } from "@/lib/pages/verifier/page";
import type { VerifierView, prepareVerifierPage, RowAgent } from "@/lib/pages/verifier/view";

import "./verifier.css";

export function VerdictSection({ verdict, matrix }: Pick<VerifierView, "verdict" | "matrix">) {
  return (
    <section className="verifier-verdict" aria-label="Verdict">
      <div>
        <p className="verifier-headline">{verdict.headline}</p>
        <p className="verifier-sentences">{verdict.sentences.join(" ")}</p>
      </div>
      <ConfusionTable cells={matrix} caption="Labels by verifier and human" />
    </section>
  );
}

function ConfusionTable({ cells, caption }: { cells: VerifierView["matrix"]; caption: string }) {
  const [bothPassed, onlyHuman, onlyVerifier, bothFailed] = cells;
  return (
    <table className="verifier-matrix">
      <caption className="screen-reader">{caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            <StatusWord status="passed">Verifier pass</StatusWord>
          </th>
          <th scope="col">
            <StatusWord status="failed">Verifier not pass</StatusWord>
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            <StatusWord status="passed">Human pass</StatusWord>
          </th>
          <Cell cell={bothPassed} />
          <Cell cell={onlyHuman} kind="too strict" />
        </tr>
        <tr>
          <th scope="row">
            <StatusWord status="failed">Human fail</StatusWord>
          </th>
          <Cell cell={onlyVerifier} kind="too lenient" />
          <Cell cell={bothFailed} />
        </tr>
      </tbody>
    </table>
  );
}

/** Ink of the darkest cell, in percent. */
const MOST_INK = 26;

function Cell({
  cell: { count, share, trials },
  kind = count === 1 ? "label" : "labels",
}: {
  cell: VerifierView["matrix"][number];
  kind?: string;
}) {
  const ink = `${(share * MOST_INK).toFixed(1)}%`;
  return (
    <td style={{ background: `color-mix(in srgb, var(--ink) ${ink}, var(--paper))` }}>
      <b>{formatCount(count)}</b> <span>{kind}</span>
      {trials === null ? null : <span className="verifier-trials">{trials}</span>}
    </td>
  );
}

export function NoReview({
  problem,
  nJudged,
  byHand,
}: Pick<ReturnType<typeof prepareVerifierPage>, "problem" | "byHand"> & { nJudged: number }) {
  return (
    <>
      <Notice
        title={problem?.title ?? (nJudged === 0 ? "No labels yet" : "No labels from random samples")}
        actions={
          <>
            <ForAction action="makeQueueAction">
              <ButtonLink look="main" href={newQueueHref({})}>
                Draw a queue
              </ButtonLink>
            </ForAction>
            <ButtonLink href={QUEUES_HREF}>All queues</ButtonLink>
          </>
        }
      >
        {problem === null ? (
          <p>
            Rates and a corrected score require randomly sampled trials; hand-picked ones do not represent the
            others. Make a queue with a random or stratified sample and judge it. Five labels of trials that
            the verifier passed and five of others give a first score.
          </p>
        ) : (
          <p>{problem.advice}</p>
        )}
      </Notice>
      {byHand === null ? null : (
        <Section title="Labels not from random samples" note="counts only, no rates">
          <ConfusionTable cells={byHand} caption="Labels not from random samples, by verifier and human" />
        </Section>
      )}
    </>
  );
}

interface VerifierFiltersProps {
  readonly page: VerifierPage;
  readonly params: VerifierParams;
  readonly leftOut: readonly string[];
}

export function VerifierFilters({ page: { facets, jobNames }, params, leftOut }: VerifierFiltersProps) {
  const facet = facetsOf(params, (change) => verifierHref({ ...params, ...change }));
  return (
    <>
      <FilterBar>
        {facet("Job", "jobs", facets.jobs, (key) => jobNames.get(key) ?? key)}
        {facet("Agent", "agents", facets.agents)}
        {facet("Task family", "families", facets.families)}
      </FilterBar>
      {leftOut.length === 0 ? null : <p className="caption verifier-left-out">{leftOut.join(". ")}.</p>}
    </>
  );
}

export function VerifierMethods() {
  return (
    <Methods>
      <p>
        A label is the agreed or decided judgment. Humans count as right. A trial that is deferred, in
        conflict or waiting for another review has no label, and is counted next to the filters.
      </p>
      <p>
        Only randomly sampled trials count: random, stratified and planned queues of the same list. A list
        filtered by result, such as failed trials, corrects no score and gives no TPR and TNR: its samples
        omit the other trials. Within an agent and verdict, each queue is a simple random sample without
        replacement, so all of them together are one too. A label represents as many trials as its stratum has
        per label. The planner uses earlier labels to choose how many trials to sample per stratum, never
        which.
      </p>
      <p>
        Corrected score: the share of trials that humans pass, per stratum, weighted by trials (Cochran 1977,
        5A.9). Its interval adds the Wilson intervals of the strata, narrowed by the labelled share. It is for
        these trials, not for new tasks. If an agent has too few labels, all agents are corrected by verdict
        alone if every queue was random.
      </p>
      <p>
        TPR: share of human passes that the verifier passes. TNR: share of human fails that it does not pass.
        PPV and NPV: share of the verifier’s passes, and of the others, where humans agree. Weighted by
        stratum, with intervals in log odds (Korn and Graubard 1998).
      </p>
    </Methods>
  );
}

type ScoreRow = VerifierView["scores"][number];

const PLOT_WIDTH = 300;
/** Pixels a plot adds around its scale, as in the style sheet of intervals. */
const INSETS = 15;
const SCALE = { low: 0, high: 1 };

function RowName({ agent }: { agent: RowAgent }) {
  return agent === null ? <b className="verifier-all">All agents</b> : <AgentName {...agent} />;
}

const SCORE_COLUMNS: readonly DataColumn<ScoreRow>[] = [
  column("Agent and model", ({ agent }) => <RowName agent={agent} />, { isRowHeader: true, phone: "first" }),
  column("Recorded", ({ recorded }) => recorded, {
    numeric: true,
    phone: "labelled",
    title: "Share of trials that the verifier passed",
  }),
  column("Corrected", ({ corrected }) => <b>{corrected}</b>, { numeric: true, phone: "score" }),
  column("95 % interval", ({ margin }) => margin, { numeric: true, className: "muted", phone: "below" }),
  intervalColumn(
    (row) => <ScorePlot row={row} />,
    { words: "Both scores, on a scale from 0 to 1", width: PLOT_WIDTH },
    { className: "interval-cell verifier-plot", phone: "end" },
  ),
  column("Points", ({ points }) => points, { numeric: true, phone: "labelled" }),
  column("Change", ({ change }) => change, { className: "muted", phone: "second" }),
  column(
    "Labels",
    ({ nLabels }) => (
      <>
        {formatCount(nLabels)}
        <span className="verifier-phone"> {nLabels === 1 ? "label" : "labels"}</span>
      </>
    ),
    { numeric: true, phone: "side" },
  ),
];

export function ScoreTable({ rows, nTrials }: { rows: readonly ScoreRow[]; nTrials: number }) {
  return (
    <Section title="Corrected score" note="hollow: recorded, filled: corrected with 95 % interval">
      <DataTable
        caption="Recorded and corrected score of each agent"
        columns={SCORE_COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
      />
      <p className="caption table-note">
        For these {formatPlural(nTrials, "trial")}, not for new tasks: the interval covers labelling error
        only.
      </p>
    </Section>
  );
}

export function ScorePlot({ row: { agent, drawn } }: { row: Pick<ScoreRow, "agent" | "drawn"> }) {
  const group = agent === null ? PLAIN : { identity: agent.identity };
  const hollow = agent === null ? { identity: 0 } : { identity: agent.identity, variant: 1 };
  if (drawn === null) return <svg className="interval-plot" width={PLOT_WIDTH - INSETS} aria-hidden="true" />;
  return (
    <svg className="interval-plot" width={PLOT_WIDTH - INSETS} role="img">
      <title>{drawn.summary}</title>
      <StripMark interval={placeInterval(drawn, SCALE)} group={group} y={10} />
      <svg className="strip-value verifier-recorded" x={percent(placeOn(drawn.observed, SCALE))} y={10}>
        <AgentShape group={hollow} size={9} />
      </svg>
    </svg>
  );
}

type StrataRow = VerifierView["strata"][number];

function listColumns(isPlanned: boolean): readonly DataColumn<StrataRow>[] {
  const columns = (verdict: "passed" | "failed", words: string): readonly DataColumn<StrataRow>[] => [
    {
      id: verdict,
      header: <StatusWord status={verdict}>{words}</StatusWord>,
      cell: ({ agent, [verdict]: cell }) => (
        <Stratum cell={cell} isWhole={agent === null} isPlanned={isPlanned} />
      ),
    },
    {
      id: `${verdict}-next`,
      header: "Next",
      meta: { numeric: true },
      cell: ({ [verdict]: { nNext } }) => {
        if (!isPlanned) return "";
        return nNext === 0 ? <span className="zero">0</span> : <b>+{formatCount(nNext)}</b>;
      },
    },
  ];
  return [
    column("Agent", ({ agent }) => <RowName agent={agent} />, { isRowHeader: true }),
    ...columns("passed", "Verifier pass"),
    ...columns("failed", "Verifier not pass"),
  ];
}

export function PlanSection({ strata, chart, nNext, openWords, planNote: note }: VerifierView) {
  return (
    <div className="verifier-two">
      <Section title="Labels by stratum" note={openWords}>
        <DataTable
          caption="Labels by agent and verdict"
          className="verifier-strata"
          columns={listColumns(note === null)}
          rows={strata}
          rowKey={({ id }) => id}
        />
        <p className="caption table-note">
          {note ??
            `Outlined: where the next ${formatCount(nNext)} narrow the corrected score most. Trials within a stratum are chosen at random.`}
        </p>
      </Section>
      {chart === null ? null : (
        <Section title="Effect of more labels" note="all agents">
          <PlaneFigure chart={chart} />
        </Section>
      )}
    </div>
  );
}

interface StratumProps {
  readonly cell: StrataRow["passed"];
  readonly isWhole: boolean;
  readonly isPlanned: boolean;
}

function Stratum({ cell: { nLabels, nTrials, nNext, bar }, isWhole, isPlanned }: StratumProps) {
  const width = (share: number) => `${(share * 100).toFixed(2)}%`;
  return (
    <span className="verifier-stratum">
      <span>
        {formatCount(nLabels)} <span className="muted">of {formatCount(nTrials)}</span>
      </span>
      {isWhole ? null : (
        <span className="verifier-bar" aria-hidden="true">
          <span className="verifier-bar-labelled" style={{ width: width(bar.labelled) }} />
          {!isPlanned || nNext === 0 ? null : (
            <span className="verifier-bar-next" style={{ width: width(bar.next) }} />
          )}
        </span>
      )}
    </span>
  );
}

type RatesRow = VerifierView["rates"][number]["rows"][number];

const RATES = [
  { name: "tpr", label: "TPR", words: "human pass found" },
  { name: "tnr", label: "TNR", words: "human fail found" },
  { name: "ppv", label: "PPV", words: "pass confirmed" },
  { name: "npv", label: "NPV", words: "not pass confirmed" },
] as const;

interface RatesLine extends RatesRow {
  readonly heading: ReactNode;
}

const RATES_COLUMNS: readonly DataColumn<RatesLine>[] = [
  {
    id: "name",
    header: <span className="screen-reader">Trials</span>,
    cell: (row) => <Name {...row} />,
    meta: { isRowHeader: true },
  },
  ...["Both pass", "Only verifier", "Only human", "Neither"].map((label, at) =>
    column<RatesLine>(
      label,
      ({ counts }) => formatCount(counts[at] ?? 0),
      { numeric: true },
      ({ counts }) => ({ className: counts[at] === 0 ? "zero" : undefined }),
    ),
  ),
  ...RATES.map(({ name, label, words }, at): DataColumn<RatesLine> => ({
    id: name,
    header: (
      <>
        <b>{label}</b> <span>{words}</span>
      </>
    ),
    attributes: ({ rates }) => ({ title: rates[at]?.title }),
    cell: ({ rates }) => <Rate {...rates[at]} />,
  })),
];

export function RatesTable({ rates, params }: Pick<VerifierView, "rates"> & { params: VerifierParams }) {
  const lines = rates.flatMap(({ title, note, rows }) =>
    rows.map((row, at): RatesLine => {
      const heading = (
        <>
          {title} <span className="muted">{note}</span>
        </>
      );
      return { ...row, heading: at === 0 ? heading : null };
    }),
  );
  return (
    <Section
      title="Humans vs verifier"
      note="95 %, weighted by how the trials were drawn"
      actions={
        <ButtonLink href={toFile(params)} look="bare" download>
          CSV
        </ButtonLink>
      }
    >
      <div className="verifier-rates">
        <fieldset className="verifier-switch">
          <legend className="screen-reader">Which rate the table shows</legend>
          {RATES.map(({ name, label }) => (
            <label key={name} className="inline-row">
              <input type="radio" name="verifier-rate" value={name} defaultChecked={name === "tpr"} />
              {label}
            </label>
          ))}
        </fieldset>
        <DataTable
          caption="Humans against the verifier"
          className="table-compact"
          columns={RATES_COLUMNS}
          rows={lines}
          rowKey={({ id }, at) => `${at} ${id}`}
          heading={({ heading }) => heading}
        />
      </div>
      <p className="caption table-note">
        Scale of each plot: 0 to 1. A rate requires 5 labels of each verdict it uses, or all trials of that
        verdict if there are fewer.
      </p>
    </Section>
  );
}

function toFile(params: VerifierParams): Route {
  return verifierHref(params).replace("/annotations/verifier", "/annotations/verifier/export") as Route; // The route beside the page.
}

function Name({ agent, href, name }: RatesRow) {
  if (agent !== null) return <AgentName {...agent} />;
  return href === null ? (
    <span className="verifier-all cut">{name}</span>
  ) : (
    <Link className="quiet cut" href={href}>
      {name}
    </Link>
  );
}

function Rate({ text, title = "", drawn = null }: Partial<RatesRow["rates"][number]>) {
  return drawn === null ? (
    <span className="caption">{text}</span>
  ) : (
    <span className="inline-row verifier-rate">
      <b>{text}</b>
      <IntervalPlot mark={drawn} width={84} title={title} />
    </span>
  );
}
