import { Fragment } from "react";

import { anchorHref, EvidenceLinks, nameAnchor } from "@/components/annotations/evidence";
import {
  JUDGMENT_MARKS,
  JUDGMENT_WORDS,
  AnnotationTime,
  describeVerdict,
} from "@/components/annotations/judgment-words";
import { CommandKey } from "@/components/shell/command-key";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { FoldedName } from "@/components/ui/folded-name";
import { PLAIN, Strip, StripMark } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark, StatusWord } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { capitalise } from "@/lib/core/format/words";
import type { AgreementFigure, ScopeAgreement } from "@/lib/pages/annotations/agreement";
import { conflictsHref, verifierHref } from "@/lib/pages/annotations/review-address";
import type { ConflictReview, OpenConflict, SharedAnchor } from "@/lib/pages/conflicts/page";
import type { ConflictsPage, ConflictRow } from "@/lib/pages/conflicts/page";
import { openTrialHref } from "@/lib/pages/trial/address";

import { DecisionForm } from "./decision-form";

import "./conflicts.css";

export function Conflicts({ page }: { page: ConflictsPage }) {
  const { open, rows, scope } = page;
  if (rows.length === 0) return <NoConflicts page={page} />;
  return (
    <div className="conflict-columns">
      <ConflictList page={page} />
      {open === null ? (
        <Notice title="This conflict is no longer in the list">
          A reviewer changed a judgment. Choose another conflict.
        </Notice>
      ) : (
        <>
          <ConflictSides conflict={open} />
          <DecisionForm conflict={open} scope={scope} />
        </>
      )}
    </div>
  );
}

function NoConflicts({ page: { nTwice } }: { page: ConflictsPage }) {
  if (nTwice > 0)
    return <Notice title="No conflicts">All reviewers agree on all trials reviewed twice.</Notice>;
  return (
    <Notice
      title="No trials reviewed twice yet"
      actions={<ButtonLink href={"/annotations"}>All annotations</ButtonLink>}
    >
      Agreement and conflicts appear once two reviewers judge the same trial. Make a queue with double review.
    </Notice>
  );
}

function ConflictList({ page }: { page: ConflictsPage }) {
  const { rows, open } = page;
  const of = (standing: ConflictRow["standing"]) => rows.filter((row) => row.standing === standing);
  const [todo, own, decided] = [of("todo"), of("own"), of("decided")];
  const prefix = findSharedPrefix(rows.map(({ taskName }) => taskName));
  const groups = [
    ["To decide", formatCount(todo.length), todo],
    ["You reviewed these", `${formatCount(own.length)}, someone else decides`, own],
    ["Decided", describeDecided(decided), decided],
  ] as const;
  return (
    <details className="narrow-fold conflict-list">
      <summary>
        {open === null ? "Conflicts" : `Conflict ${formatCount(open.place)} of ${formatCount(rows.length)}`}
        <span className="muted">{` ${formatCount(decided.length)} decided`}</span>
      </summary>
      <nav aria-label="Conflicts">
        <div className="row conflict-list-head">
          <h2>Conflicts</h2>
          <span className="caption">
            {`${formatCount(decided.length)} of ${formatCount(rows.length)} decided`}
          </span>
        </div>
        <progress
          className="conflict-progress"
          value={decided.length}
          max={rows.length}
          aria-label="Decided"
        />
        {groups.map(([title, note, own]) =>
          own.length === 0 ? null : (
            <Fragment key={title}>
              <h3>
                {title} <span className="muted">{note}</span>
              </h3>
              <Group rows={own} page={page} prefix={prefix} />
            </Fragment>
          ),
        )}
      </nav>
    </details>
  );
}

interface GroupProps {
  readonly rows: readonly ConflictRow[];
  readonly page: ConflictsPage;
  readonly prefix: string;
}

function Group({ rows, page: { scope, open }, prefix }: GroupProps) {
  const at = rows.findIndex(({ place }) => place === open?.place);
  const first = at < LIST_ROWS ? 0 : at;
  const shown = rows.slice(first, first + LIST_ROWS);
  return (
    <>
      <ul>
        {shown.map((row) => (
          <li key={row.place}>
            <Link
              href={conflictsHref({ ...scope, open: row.place })}
              className="row choice conflict-link"
              title={row.taskName}
              aria-current={row.place === open?.place ? "true" : undefined}
              data-row-link=""
            >
              <span className="cut grow">
                <FoldedName name={row.taskName} prefix={prefix} />
                {row.attempt === null ? null : <span className="muted"> {row.attempt}</span>}
              </span>
              <Verdicts row={row} />
            </Link>
          </li>
        ))}
      </ul>
      {rows.length > shown.length ? (
        <p className="caption">{formatPlural(rows.length - shown.length, "more conflict")}</p>
      ) : null}
    </>
  );
}

const MOST_MARKS = 4;

function Verdicts({ row: { standing, judgments, final } }: { row: ConflictRow }) {
  if (standing === "decided")
    return final === null ? <span className="caption">left open</span> : <VerdictMark judgment={final} />;
  return (
    <>
      {judgments.slice(0, MOST_MARKS).map((judgment, index) => (
        <VerdictMark key={index} judgment={judgment} />
      ))}
    </>
  );
}

function VerdictMark({ judgment }: { judgment: Judgment }) {
  return <Mark status={JUDGMENT_MARKS[judgment]} label={JUDGMENT_WORDS[judgment]} />;
}

function describeDecided(rows: readonly ConflictRow[]): string {
  const parts = [...JUDGMENTS, null].flatMap((final) => {
    const n = rows.filter((row) => row.final === final).length;
    return n === 0 ? [] : `${formatCount(n)} ${final ?? "left open"}`;
  });
  return [formatCount(rows.length), ...parts].join(", ");
}

function ConflictSides({ conflict }: { conflict: OpenConflict }) {
  const { taskName, attempt, at, reviews, nMoreReviews, anchors, nHiddenAnchors } = conflict;
  return (
    <section className="conflict-sides" aria-label={`Conflict, ${taskName}`}>
      <div className="section-head">
        <h2 id="conflict-name" tabIndex={-1}>
          {taskName}
        </h2>
        {attempt === null ? (
          <span className="muted">trial not in the open folders</span>
        ) : (
          <span className="muted">attempt {attempt}</span>
        )}
        {at === null ? null : (
          <div className="row section-actions">
            <ButtonLink look="bare" href={openTrialHref(at)}>
              Open trace
            </ButtonLink>
          </div>
        )}
      </div>
      <Context conflict={conflict} />
      <div className={reviews.length > 2 ? "conflict-reviews conflict-stack" : "conflict-reviews"}>
        {reviews.map((review) => (
          <Review key={review.versionId} review={review} at={at} />
        ))}
      </div>
      {nMoreReviews === 0 ? null : (
        <p className="caption">{formatPlural(nMoreReviews, "more review")} not shown; the export has all.</p>
      )}
      <div className="section-head">
        <h2>Evidence</h2>
        <span className="muted">{formatPlural(anchors.length, "place")}</span>
        {anchors.length < 2 ? null : (
          <span className="row section-actions caption conflict-anchor-keys">
            next <CommandKey id="adjudication.nextAnchor" /> previous{" "}
            <CommandKey id="adjudication.previousAnchor" />
          </span>
        )}
      </div>
      {anchors.length === 0 ? (
        <p className="muted">
          No reviewer attached evidence{nHiddenAnchors === 0 ? "" : " that may be shown yet"}.
        </p>
      ) : (
        <ol className="conflict-anchors">
          {anchors.map((anchor, index) => (
            <Anchor key={index} anchor={anchor} at={at} />
          ))}
        </ol>
      )}
      {nHiddenAnchors === 0 ? null : (
        <p className="caption">
          {formatPlural(nHiddenAnchors, "place")} in verifier output, hidden until you decide.
        </p>
      )}
    </section>
  );
}

/** Parts that the queue hides are absent. */
function Context({ conflict: { context } }: { conflict: OpenConflict }) {
  const { agent, jobName, verifier } = context;
  if (agent === null && verifier === null) return null;
  return (
    <p className="flow conflict-context">
      {agent === null ? null : <AgentName identity={agent.identity} agent={agent.name} model={agent.model} />}
      {verifier === null ? null : (
        <StatusWord status={verifier.outcome}>
          Verifier: {describeVerdict(verifier.outcome, verifier.reward)}
        </StatusWord>
      )}
      {jobName === null ? null : <span className="muted cut">{jobName}</span>}
    </p>
  );
}

function Review({ review, at }: { review: ConflictReview; at: OpenConflict["at"] }) {
  const { letter, reviewerId, discipline, timestamp, judgment, confidence, isStale } = review;
  const { categories, notes, anchors } = review;
  return (
    <article className="panel conflict-review" aria-label={`Reviewer ${letter}, ${reviewerId}`}>
      <header className="row">
        <Letter letter={letter} />
        <b className="cut">{reviewerId}</b>
        {discipline === null ? null : <span className="muted cut">{discipline}</span>}
        <AnnotationTime className="caption nowrap push" timestamp={timestamp} />
      </header>
      <p className="row conflict-verdict">
        <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
        <b>{JUDGMENT_WORDS[judgment]}</b>
        <span className="muted">
          {confidence === null ? "confidence not said" : `${confidence} confidence`}
        </span>
      </p>
      {isStale ? <p className="caption">The trial changed after this judgment.</p> : null}
      {categories.length === 0 ? (
        <p className="muted flow conflict-categories">no category</p>
      ) : (
        <ul className="flow conflict-categories" aria-label="Categories">
          {categories.map((category) => (
            <li key={category} className="chip chip-on">
              {category}
            </li>
          ))}
        </ul>
      )}
      {notes === null ? <p className="muted">no note</p> : <p className="prose conflict-note">{notes}</p>}
      {at === null ? (
        anchors.map((anchor, index) => <p key={index}>{nameAnchor(anchor)}</p>)
      ) : (
        <EvidenceLinks evidence={anchors} at={at} />
      )}
    </article>
  );
}

function Anchor({ anchor, at }: { anchor: SharedAnchor; at: OpenConflict["at"] }) {
  const { letters, quote } = anchor;
  const name = nameAnchor(anchor);
  return (
    <li>
      <p className="row">
        {at === null ? (
          <span className="cut conflict-place">{name}</span>
        ) : (
          <Link href={anchorHref(at, anchor)} className="cut conflict-place" data-anchor="">
            {name}
          </Link>
        )}
        <span className="row conflict-letters">
          {letters.map((letter) => (
            <Letter key={letter} letter={letter} />
          ))}
        </span>
      </p>
      {quote === null ? null : (
        <blockquote className="pre-wrap sunken conflict-quote">
          <span className={letters[0] === "A" ? undefined : "conflict-dashed"}>{quote}</span>
        </blockquote>
      )}
    </li>
  );
}

/** The first letter is solid, others are dashed: colours are reserved for verdicts. */
function Letter({ letter }: { letter: string }) {
  return (
    <span className={letter === "A" ? "conflict-letter" : "conflict-letter conflict-letter-other"}>
      <span className="screen-reader">Reviewer </span>
      {letter}
    </span>
  );
}

export function describeConflicts({ rows, nTwice, open }: ConflictsPage): string {
  if (nTwice === 0) return "Agreement of reviewers on trials that two of them judged.";
  const twice = formatPlural(nTwice, "trial");
  if (rows.length === 0) return `${twice} reviewed twice or more, no conflict.`;
  const nOpen = rows.filter(({ standing }) => standing !== "decided").length;
  const left = nOpen === 0 ? "All are decided." : `${formatCount(nOpen)} not decided.`;
  return `${formatCount(rows.length)} of ${twice} reviewed twice are in conflict. ${left}${describeHidden(open)}`;
}

function describeHidden(open: ConflictsPage["open"]): string {
  const hidden = [
    open?.context.agent === null ? "agent and model" : "",
    open?.context.verifier === null ? "verifier and tests" : "",
  ].filter(Boolean);
  return hidden.length === 0 ? "" : ` ${capitalise(hidden.join(", "))} stay hidden until you decide.`;
}

export function ConflictActions({ page: { scope, next } }: { page: ConflictsPage }) {
  return (
    <>
      {next === null ? null : (
        <Link href={next} className="button button-bare" data-command="adjudication.next">
          Next conflict <CommandKey id="adjudication.next" />
        </Link>
      )}
      <ButtonLink href={verifierHref(scope)}>Verifier accuracy</ButtonLink>
    </>
  );
}

const TICKS = [0, 0.5, 1].map((at) => ({ value: at, at }));

export function AgreementStrip({ agreement }: { agreement: ScopeAgreement }) {
  const { figures, nPairs, nTasks, nDefers, nNotBlind, nStale, passShare, warning, caveat } = agreement;
  const [share, kappa] = figures;
  return (
    <details className="narrow-fold agreement">
      <summary>
        Agreement {share?.value ?? MISSING} of {formatPlural(nPairs, "pair")}, kappa {kappa?.value ?? MISSING}
      </summary>
      <dl className="agreement-strip">
        <div>
          <dt className="caption nowrap">Pass or fail</dt>
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
          <dt className="caption nowrap">Labels that are pass</dt>
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
      <dt className="caption nowrap">{name}</dt>
      <dd>
        {value ?? MISSING}{" "}
        {range === null ? null : <span className="muted nowrap agreement-range">{range}</span>}
      </dd>
      <FigurePlot figure={figure} />
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
