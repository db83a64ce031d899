import { AgentName } from "@/components/ui/agent-name";
import { Mark } from "@/components/ui/mark";
import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import { TimeText } from "@/components/ui/time-text";
import { trialHref } from "@/lib/addresses/href";
import { MISSING } from "@/lib/format/number";
import { OUTCOME_WORDS } from "@/lib/format/words";
import type { RecordedPage } from "@/lib/queries/annotations/recorded";

import { RECORDED_WORDS } from "./judgment-words";
import { RecordedVerdict } from "./recorded-judgments";

import "./annotations-table.css";

const COLUMNS = [
  { id: "task", label: "Task and job" },
  { id: "agent", label: "Agent and model", minor: true },
  { id: "verifier", label: "Verifier" },
  { id: "judgment", label: "Judgment" },
  { id: "reason", label: "Categories and note" },
  { id: "reviewer", label: "Reviewer" },
  { id: "kind", label: "Recorded as" },
  { id: "when", label: "Time" },
];

/** Judgments that stand in files, newest first. */
export function RecordedTable({ rows }: { rows: RecordedPage["rows"] }) {
  return (
    <Table caption="Judgments recorded in files" columns={COLUMNS}>
      <tbody>
        {rows.map((row, at) => (
          <RecordedLine key={at} row={row} />
        ))}
      </tbody>
    </Table>
  );
}

function RecordedLine({ row }: { row: RecordedPage["rows"][number] }) {
  const { judgment } = row;
  const reason = [judgment.categories.join(", "), judgment.notes ?? ""].filter((text) => text !== "");
  return (
    <tr className="annotation-row">
      <td className="name">
        <span className="annotation-trial">
          <SoftLink href={trialHref(row.jobKey, row.trialKey)} data-row-link="" title={row.trialName}>
            {row.taskName}
          </SoftLink>
          <span className="muted cut" title={row.jobName}>
            {`attempt ${String(row.attempt)}, ${row.jobName}`}
          </span>
        </span>
      </td>
      <td className="minor">
        <AgentName identity={row.identity} agent={row.agent} model={row.model} />
      </td>
      <td>
        <span className="status-word">
          <Mark status={row.outcome} />
          {OUTCOME_WORDS[row.outcome]}
          <span className="muted">{row.reward ?? MISSING}</span>
        </span>
      </td>
      <td>
        <RecordedVerdict judgment={judgment} />
      </td>
      <td className="annotation-reason">
        <span className="cut" title={reason.join("\n")}>
          {judgment.categories.length > 0 ? <b>{judgment.categories.join(", ")}</b> : null}
          {reason.length > 1 ? ", " : null}
          {judgment.notes ?? (reason.length === 0 ? MISSING : "")}
        </span>
      </td>
      <td
        className={judgment.reviewerId === null ? "unknown" : "annotation-reviewer"}
        title={judgment.discipline ?? undefined}
      >
        {judgment.reviewerId ?? MISSING}
      </td>
      <td title={judgment.file}>{RECORDED_WORDS[judgment.kind]}</td>
      <td>
        <TimeText time={judgment.time} narrow />
      </td>
    </tr>
  );
}
