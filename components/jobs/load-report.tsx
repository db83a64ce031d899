import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/domain/load-issue";

const COLUMNS = [
  { id: "level", label: "Level", width: 84 },
  { id: "code", label: "Code" },
  { id: "where", label: "Where" },
  { id: "what", label: "What, and what to do" },
];

/** How many issues are drawn at once; the filter finds the others. */
const SHOWN_AT_MOST = 500;

/** Load issues as a table, or a word when a filter leaves none. */
export function LoadReport({ issues }: { issues: readonly LoadIssue[] }) {
  if (issues.length === 0) return <Notice title="No issue matches this filter" />;
  const shown = issues.slice(0, SHOWN_AT_MOST);
  return (
    <>
      <Table caption="Load issues" columns={COLUMNS} compact>
        <tbody>
          {shown.map((issue) => (
            <tr key={`${issue.code} ${issue.path} ${issue.detail}`}>
              <td>
                {LOAD_ISSUE_CODES[issue.code] === "problem" ? (
                  <span className="status-word">
                    <Mark status="errored" />
                    problem
                  </span>
                ) : (
                  <span className="muted">note</span>
                )}
              </td>
              <td>
                <code>{issue.code}</code>
              </td>
              <td className="wrap">
                <code>{issue.path}</code>
              </td>
              <td className="wrap">{issue.detail}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {issues.length > shown.length ? (
        <p className="caption table-note">
          The first {shown.length} of {issues.length}. Filter to see the others.
        </p>
      ) : null}
    </>
  );
}
