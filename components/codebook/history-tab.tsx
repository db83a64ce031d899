import { DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import type { ListPage } from "@/lib/core/domain/list-page";
import { codebookHref, type CodebookParams } from "@/lib/pages/codebook/address";
import type { ChangeLine } from "@/lib/pages/codebook/page";

import { AnnotationTime } from "../annotations/judgment-words";

const COLUMNS: readonly DataColumn<ChangeLine>[] = [
  column("Version", ({ version }) => version, { numeric: true }),
  column("Change", ({ text }) => text, { className: "wrap codebook-change" }),
  column("By", ({ author }) => author || "no name given", { className: "cut" }),
  column("When", ({ createdAt }) => <AnnotationTime timestamp={createdAt} />, { className: "nowrap" }),
];

export function HistoryTab({ page, params }: { page: ListPage<ChangeLine>; params: CodebookParams }) {
  if (page.rows.length === 0)
    return <Notice title="No changes yet">Changes to the default categories are listed here.</Notice>;
  return (
    <>
      <DataTable
        caption="Changes of the codebook"
        columns={COLUMNS}
        rows={page.rows}
        rowKey={({ version }) => version}
      />
      <Pager
        page={page}
        noun="change"
        label="Pages of changes"
        hrefOf={(to) => codebookHref(params, { page: to })}
      />
      <p className="caption table-note">
        Each judgment stores its codebook version, so it keeps the meaning of its categories.
      </p>
    </>
  );
}
