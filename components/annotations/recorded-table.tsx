import { DataTable } from "@/components/ui/data-table";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import type { RecordedPage } from "@/lib/pages/annotations/recorded";

import { JUDGMENT_LIST, type JudgmentLine } from "./judgment-columns";
import { RECORDED_WORDS } from "./judgment-words";
import { RecordedVerdict } from "./recorded-judgments";

import "./annotations-table.css";

interface RecordedLine extends JudgmentLine {
  readonly recorded: RecordedJudgment;
}

const COLUMNS: readonly DataColumn<RecordedLine>[] = [
  ...JUDGMENT_LIST,
  column(
    "Recorded as",
    ({ recorded }) => <span title={recorded.file}>{RECORDED_WORDS[recorded.kind]}</span>,
    { phone: "second" },
  ),
  column("Time", ({ recorded }) => <TimeText time={recorded.time} narrow />, { phone: "second" }),
];

export function RecordedTable({ rows }: { rows: RecordedPage["rows"] }) {
  const prefix = findSharedPrefix(rows.map(({ taskName }) => taskName));
  const lines = rows.map(({ judgment, ...row }) => ({
    ...row,
    prefix,
    trial: row,
    seen: null,
    recorded: judgment,
    judgment: <RecordedVerdict judgment={judgment} />,
    categories: judgment.categories.join(", "),
    notes: judgment.notes ?? "",
    reviewerId: judgment.reviewerId,
    discipline: judgment.discipline,
  }));
  return (
    <DataTable
      caption="Judgments recorded in files"
      columns={COLUMNS}
      rows={lines}
      rowKey={(line) => lines.indexOf(line)}
    />
  );
}
