import { Table } from "@/components/ui/table";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { ImportSummary } from "@/lib/pages/annotations/import";

const PLACE = { id: "place", label: "Line" };
const ERROR_COLUMNS = [PLACE, { id: "message", label: "Problem, and what to do" }];
const CONFLICT_COLUMNS = [
  PLACE,
  { id: "who", label: "Reviewer" },
  { id: "trial", label: "Trial" },
  { id: "message", label: "What happens" },
];

export function ImportReportView({ summary }: { summary: ImportSummary }) {
  return (
    <>
      <dl className="import-report-counts">
        {listCounts(summary).map(([name, count, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCount(count)}</dd>
            {about === "" ? null : <dd className="caption">{about}</dd>}
          </div>
        ))}
      </dl>
      {summary.notes.map((note) => (
        <p key={note} className="caption">
          {note}
        </p>
      ))}
      {summary.errors.length === 0 ? null : (
        <Table caption="Wrong lines" columns={ERROR_COLUMNS}>
          {summary.errors.map(({ file, line, message }, index) => (
            <tr key={index}>
              <td className="num">
                {file}:{line}
              </td>
              <td className="import-report-text">{message}</td>
            </tr>
          ))}
        </Table>
      )}
      <Rest n={summary.nErrors - summary.errors.length} noun="more wrong line" />
      {summary.conflicts.length === 0 ? null : (
        <Table caption="Conflicts" columns={CONFLICT_COLUMNS}>
          {summary.conflicts.map(({ file, line, reviewerId, trialName, jobName, message }, index) => (
            <tr key={index}>
              <td className="num">
                {file}:{line}
              </td>
              <td>{reviewerId}</td>
              <td className="import-report-text">
                {trialName} {jobName === "" ? null : <span className="muted">of {jobName}</span>}
              </td>
              <td className="import-report-text">{message}</td>
            </tr>
          ))}
        </Table>
      )}
      <Rest n={summary.nConflicts - summary.conflicts.length} noun="more conflict" />
    </>
  );
}

function Rest({ n, noun }: { n: number; noun: string }) {
  return n > 0 ? <p className="caption">And {formatPlural(n, noun)}.</p> : null;
}

type CountLine = readonly [name: string, count: number, about: string];

function listCounts(summary: ImportSummary): readonly CountLine[] {
  const optional: readonly CountLine[] = [
    ["New decisions", summary.nNewDecisions, ""],
    ["New queues", summary.nNewQueues, ""],
    ["New tags", summary.nNewTags, "Of other tools; suggestions until reviewers answer them."],
    ["New answers", summary.nNewAnswers, "To suggestions of machines."],
    [
      "New names and dismissals",
      summary.nNewNotes,
      "Of clusters and findings; earlier ones are counted too.",
    ],
    ["Undone", summary.nWithdrawn, "Undone where the files come from."],
    ["Repeated", summary.nRepeated, "The files say it more than once."],
    ["Older", summary.nOlder, "Versions from before those that are here; left out."],
    [
      "Trials in no open folder",
      summary.nUnknownTrials,
      "What is said of them is kept and appears once a folder with them is open.",
    ],
  ];
  return [
    ["Lines", summary.nLines, ""],
    ["Trials", summary.nTrials, ""],
    ["New judgments", summary.nNew, ""],
    ["Already here", summary.nKnown, ""],
    ["Conflicts", summary.nConflicts, ""],
    ["Wrong lines", summary.nErrors, ""],
    ...optional.filter(([, count]) => count > 0),
  ];
}
