import { anchorHref, EvidenceLinks, nameAnchor } from "@/components/annotations/evidence-list";
import {
  JUDGMENT_MARKS,
  JUDGMENT_WORDS,
  AnnotationTime,
  describeVerdict,
} from "@/components/annotations/judgment-words";
import { CommandKey } from "@/components/shell/command-key";
import { AgentName } from "@/components/ui/agent-name";

import "./conflicts-page.css";
import { ButtonLink } from "@/components/ui/button";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import type { Judgment } from "@/lib/core/domain/judgment";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";

import "./conflict-list.css";
import { conflictsHref } from "@/lib/pages/annotations/review-address";
import type {
  ConflictReview,
  OpenConflict,
  SharedAnchor,
  ConflictsPage,
  ConflictRow,
} from "@/lib/pages/conflicts/page";
import { openTrialHref } from "@/lib/pages/trial/address";

import { DecisionForm } from "./decision-form";

import "./conflict-sides.css";

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
  return (
    // Always open in wide windows (style sheet).
    <details className="conflict-list">
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
        <Group title="To decide" note={formatCount(todo.length)} rows={todo} page={page} />
        <Group
          title="You reviewed these"
          note={`${formatCount(own.length)}, someone else decides`}
          rows={own}
          page={page}
        />
        <Group title="Decided" note={describeDecided(decided)} rows={decided} page={page} />
      </nav>
    </details>
  );
}

function Group({
  title,
  note,
  rows,
  page: { scope, open, rows: all },
}: {
  title: string;
  note: string;
  rows: readonly ConflictRow[];
  page: ConflictsPage;
}) {
  if (rows.length === 0) return null;
  const at = rows.findIndex(({ place }) => place === open?.place);
  const first = at < LIST_ROWS ? 0 : at;
  const shown = rows.slice(first, first + LIST_ROWS);
  const prefix = findSharedPrefix(all.map(({ taskName }) => taskName));
  return (
    <>
      <h3>
        {title} <span className="muted">{note}</span>
      </h3>
      <ul>
        {shown.map((row) => (
          <li key={row.place}>
            <Link
              href={conflictsHref({ ...scope, open: row.place })}
              className="row conflict-link"
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
  const count = (final: Judgment | null) => rows.filter((row) => row.final === final).length;
  const parts = [
    { n: count("pass"), words: "pass" },
    { n: count("fail"), words: "fail" },
    { n: count("defer"), words: "defer" },
    { n: count(null), words: "left open" },
  ].filter(({ n }) => n > 0);
  return [formatCount(rows.length), ...parts.map(({ n, words }) => `${formatCount(n)} ${words}`)].join(", ");
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
    <p className="row conflict-context">
      {agent === null ? null : <AgentName identity={agent.identity} agent={agent.name} model={agent.model} />}
      {verifier === null ? null : (
        <span className="status-word">
          <Mark status={verifier.outcome} />
          Verifier: {describeVerdict(verifier.outcome, verifier.reward)}
        </span>
      )}
      {jobName === null ? null : <span className="muted cut">{jobName}</span>}
    </p>
  );
}

function Review({ review, at }: { review: ConflictReview; at: OpenConflict["at"] }) {
  const { letter, reviewerId, discipline, timestamp, judgment, confidence, isStale } = review;
  const { categories, notes, anchors } = review;
  return (
    <article className="conflict-review" aria-label={`Reviewer ${letter}, ${reviewerId}`}>
      <header className="row">
        <Letter letter={letter} />
        <b className="cut">{reviewerId}</b>
        {discipline === null ? null : <span className="muted cut">{discipline}</span>}
        <AnnotationTime className="caption nowrap conflict-time" timestamp={timestamp} />
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
        <p className="muted conflict-categories">no category</p>
      ) : (
        <ul className="conflict-categories" aria-label="Categories">
          {categories.map((category) => (
            <li key={category}>{category}</li>
          ))}
        </ul>
      )}
      {notes === null ? <p className="muted">no note</p> : <p className="conflict-note">{notes}</p>}
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
        <blockquote className="conflict-quote">
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
