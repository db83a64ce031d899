import { DataTable } from "@/components/ui/data-table";
import { PLAIN, Strip, StripMark } from "@/components/ui/interval-plot";
import { Methods } from "@/components/ui/methods";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import type { AgreementFigure, ScopeAgreement } from "@/lib/pages/annotations/agreement";

import "./agreement.css";

const TICKS = [0, 0.5, 1].map((at) => ({ value: at, at }));

export function AgreementStrip({ agreement }: { agreement: ScopeAgreement }) {
  const { figures, nPairs, nTasks, nDefers, nNotBlind, nStale, passShare, warning, caveat } = agreement;
  const [share, kappa] = figures;
  return (
    // Always open in wide windows (style sheet).
    <details className="agreement">
      <summary>
        Agreement {share?.value ?? MISSING} of {formatPlural(nPairs, "pair")}, kappa {kappa?.value ?? MISSING}
      </summary>
      <dl className="agreement-strip">
        <div>
          <dt>Pass or fail</dt>
          <dd>{`${formatPlural(nPairs, "pair")}, ${formatPlural(nTasks, "task")}`}</dd>
          <dd className="caption">
            {formatPlural(nDefers, "defer")} left out
            {nNotBlind === 0 ? null : `, ${formatCount(nNotBlind)} not blind`}
            {nStale === 0 ? null : `, ${formatCount(nStale)} stale`}
          </dd>
        </div>
        {figures.map((figure) => (
          <Figure key={figure.name} figure={figure} />
        ))}
        <div>
          <dt>Labels that are pass</dt>
          <dd>{passShare}</dd>
        </div>
      </dl>
      {warning === null && caveat === null ? null : (
        <p className="caption agreement-notes">
          {[warning, caveat].filter((text) => text !== null).join(" ")}
        </p>
      )}
    </details>
  );
}

function Figure({ figure }: { figure: AgreementFigure }) {
  const { name, value, range, reason } = figure;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value ?? MISSING} {range === null ? null : <span className="agreement-range">{range}</span>}
      </dd>
      {figure.placed === null ? null : <FigurePlot figure={figure} />}
      {reason === null ? null : (
        <dd className="caption">{value === null ? `Not shown: ${reason}` : `No interval: ${reason}`}</dd>
      )}
    </div>
  );
}

function FigurePlot({ figure: { name, value, range, placed } }: { figure: AgreementFigure }) {
  if (placed === null) return null;
  const title = `${name} ${value ?? MISSING}${range === null ? "" : `, 95 % interval ${range}`}, on a scale from 0 to 1`;
  return (
    <Strip className="agreement-plot" title={title} height={12} ticks={TICKS}>
      <StripMark interval={placed} group={PLAIN} y={6} />
    </Strip>
  );
}

export function CategoryAgreement({ agreement }: { agreement: ScopeAgreement }) {
  const { categories, nMoreCategories } = agreement;
  if (categories.length === 0) return null;
  return (
    <details className="agreement-categories">
      <summary>
        Agreement by category{" "}
        <span className="muted">{formatPlural(categories.length, "category", "categories")}</span>
      </summary>
      <DataTable<Category>
        caption="Agreement by category"
        className="table-compact"
        columns={[
          column("Category", ({ label }) => label, { isRowHeader: true }),
          column("Trials", ({ nNamed }) => formatCount(nNamed), { numeric: true }),
          ...(categories[0]?.figures ?? []).map(({ name }, at) => figureColumn(name, at)),
        ]}
        rows={categories}
        rowKey={({ label }) => label}
      />
      <p className="caption">
        Trials reviewed twice in which a reviewer used the category.
        {nMoreCategories === 0
          ? null
          : ` ${formatPlural(nMoreCategories, "rarer category", "rarer categories")} not shown.`}
      </p>
    </details>
  );
}

type Category = ScopeAgreement["categories"][number];

function figureColumn(name: string, at: number): DataColumn<Category> {
  return column(
    name,
    ({ figures }) => {
      const { value = null, range = null, reason = null } = figures[at] ?? {};
      return (
        <>
          {value ?? MISSING} <span className="muted">{range ?? reason}</span>
        </>
      );
    },
    {},
    ({ figures }) => ({ title: figures[at]?.reason ?? undefined }),
  );
}

export function AgreementMethods({ isOfQueue, nReviewers }: { isOfQueue: boolean; nReviewers: number }) {
  return (
    <Methods>
      <p>
        A pair is a trial with pass or fail from at least two reviewers. Here{" "}
        {formatPlural(nReviewers, "reviewer")} reviewed such trials. Defers are counted but excluded.{" "}
        {isOfQueue
          ? "Only each reviewer’s last blind judgment counts."
          : "Each reviewer’s last judgment counts."}{" "}
        Judgments of changed trials are stale and excluded until confirmed. Decisions do not affect agreement.
      </p>
      <p>
        Cohen’s kappa (1960) needs exactly two reviewers; Krippendorff’s alpha (2011) and Gwet’s AC1 (2008)
        take more. 1 is perfect agreement, 0 what chance would give. Kappa and alpha fall if nearly all labels
        are pass, or nearly none: read them with that share and AC1. With fewer than five pairs, none is
        shown.
      </p>
      <p>
        Intervals: 95 %, bootstrap by task, since trials of a task resemble each other; BCa below 50 tasks and
        for categories, percentile from there, tails expanded. A category counts as given or not given; below
        five trials, it has no figures.
      </p>
    </Methods>
  );
}
