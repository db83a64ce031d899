import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { LeaderboardPage } from "@/lib/pages/datasets/leaderboard";

const MOST_OPEN = 4;

/** Bytes of group names in a condition; beyond it, marks are in the leaderboard only. */
const MAX_MARKS_BYTES = 50_000;
const MARK_BYTES = 200;

interface Condition {
  readonly name: string;
  readonly common: string | null;
  readonly differing: readonly { readonly id: string; readonly label: string; readonly detail: string }[];
  readonly nUnknown: number;
}

const COLUMNS: readonly DataColumn<Condition>[] = [
  column("Condition", ({ name }) => name, { isRowHeader: true, phone: "first", className: "name" }),
  column("Most groups", ({ common }) => common ?? <Unknown title="No value that most groups record" />, {
    phone: "labelled",
    label: "most groups",
  }),
  column("Other groups", ({ differing }) => <Differing differing={differing} />, {
    phone: "second",
    className: "wrap",
  }),
  {
    id: "unknown",
    header: "Not stated",
    meta: { numeric: true, phone: "labelled", label: "not stated" },
    isFilled: ({ nUnknown }) => nUnknown > 0,
    cell: ({ nUnknown }) =>
      nUnknown === 0 ? <span className="zero">0</span> : formatPlural(nUnknown, "group"),
  },
];

export function ConditionsTable({ page: { lines, conditions } }: { page: LeaderboardPage }) {
  const all = conditions.map((condition): Condition => {
    const found = lines.flatMap(({ refs, label, marks }) =>
      marks.flatMap((mark) => (mark.name === condition.name ? [{ id: refs.join(" "), label, ...mark }] : [])),
    );
    const differing = found.filter(({ state }) => state === "differs");
    return { ...condition, differing, nUnknown: found.length - differing.length };
  });
  const open = all.filter(({ differing, nUnknown }) => differing.length + nUnknown > 0);
  const same = all.filter((condition) => !open.includes(condition));
  const nDiffering = lines.filter(({ marks }) => marks.some(({ state }) => state === "differs")).length;
  const note =
    nDiffering === 0
      ? `No group is known to differ in ${formatPlural(conditions.length, "condition")}`
      : `${formatCount(nDiffering)} of ${formatPlural(lines.length, "group")} ${nDiffering === 1 ? "differs" : "differ"}; each keeps its rank and is marked`;
  return (
    <Section title="Comparable" note={note}>
      {open.length === 0 ? null : (
        <DataTable
          caption="Conditions that differ between groups"
          className="table-lines"
          columns={COLUMNS}
          rows={open}
          rowKey={({ name }) => name}
        />
      )}
      {same.length === 0 ? null : (
        <p className="caption table-note">
          Same in all groups:{" "}
          {same.map(({ name, common }) => (common === null ? name : `${name} (${common})`)).join("; ")}.
        </p>
      )}
    </Section>
  );
}

function Differing({ differing }: Pick<Condition, "differing">) {
  if (differing.length === 0) return <span className="zero">none</span>;
  const shown = takeFitting(
    differing,
    MAX_MARKS_BYTES,
    ({ label, detail }) => MARK_BYTES + countPageBytes(label) + countPageBytes(detail),
  );
  const all = shown.map(({ id, label, detail }) => (
    <span key={id} className="leaderboard-mark">
      <b>{label}</b> {detail}
    </span>
  ));
  return differing.length <= MOST_OPEN ? (
    all
  ) : (
    <details>
      <summary>{formatPlural(differing.length, "group")}</summary>
      {all}
      {shown.length === differing.length
        ? null
        : `and ${formatPlural(differing.length - shown.length, "more group")}, marked in the table above.`}
    </details>
  );
}
