import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Judgment } from "@/lib/core/domain/judgment";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { conflictsHref } from "@/lib/pages/annotations/review-address";
import type { ConflictRow, ConflictsPage } from "@/lib/pages/conflicts/page";

import "./conflict-list.css";

export function ConflictList({ page }: { page: ConflictsPage }) {
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
