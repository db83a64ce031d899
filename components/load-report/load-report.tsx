import { DataTable } from "@/components/ui/data-table";
import { Mark } from "@/components/ui/mark";
import { PartPager } from "@/components/ui/pager";
import { column, type DataColumn, type TableOrder } from "@/components/ui/table-columns";
import { withBasePath } from "@/lib/core/domain/base-path";
import { isJobFile } from "@/lib/core/domain/job";
import { LOAD_ISSUE_CODES } from "@/lib/core/domain/load-issue";
import { LOAD_ADVICE } from "@/lib/core/format/load-advice";
import { jobHref, trialHref } from "@/lib/pages/address/href";
import { type IssueSort, PAGE_ISSUES } from "@/lib/pages/load-report/address";
import type { ShownIssues } from "@/lib/pages/load-report/page";
import { artifactHref } from "@/lib/pages/trial/address";
import type { PlacedIssue } from "@/lib/store/tables";

const ISSUE_COLUMNS: readonly DataColumn<PlacedIssue>[] = [
  column(
    "Level",
    ({ code }) =>
      LOAD_ISSUE_CODES[code] === "problem" ? (
        <span className="status-word">
          <Mark status="errored" />
          problem
        </span>
      ) : (
        <span className="muted">note</span>
      ),
    { sort: "level", ascends: true, phone: "score" },
  ),
  column("Code", ({ code }) => <code>{code}</code>, { sort: "code", ascends: true }),
  column("Where", (issue) => <Place {...issue} />, {
    className: "wrap",
    sort: "path",
    ascends: true,
    phone: "first",
  }),
  column("Problem", ({ detail }) => detail, {
    className: "wrap",
    sort: "detail",
    ascends: true,
    phone: "second",
  }),
  column("Handling and fix", ({ code }) => LOAD_ADVICE[code], {
    className: "wrap muted",
    sort: "advice",
    ascends: true,
    phone: "second",
  }),
];

function Place({ path, place }: PlacedIssue) {
  if (place === null) return <code>{path}</code>;
  const { jobKey, trialKey, file } = place;
  const isFile = file !== "" && (trialKey !== null || isJobFile(file));
  const page = trialKey === null ? jobHref(jobKey) : trialHref(jobKey, trialKey);
  return (
    <a
      href={withBasePath(isFile ? artifactHref(jobKey, trialKey, file, { as: "file" }) : page)}
      download={isFile}
      data-row-link=""
    >
      <code>{path}</code>
    </a>
  );
}

export function LoadReport({
  shown: { issues, part },
  order,
  hrefOf,
}: {
  shown: ShownIssues;
  order?: TableOrder<IssueSort>;
  hrefOf: Parameters<typeof PartPager>[0]["hrefOf"];
}) {
  return (
    <>
      <DataTable
        caption="Load issues"
        className="table-compact"
        columns={ISSUE_COLUMNS}
        rows={issues}
        rowKey={(issue) => issues.indexOf(issue)}
        {...(order === undefined ? {} : { order })}
      />
      <PartPager
        part={part}
        size={PAGE_ISSUES}
        noun="issue"
        label="Pages of the load issues"
        hrefOf={hrefOf}
      />
    </>
  );
}
