import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import type { ListPage } from "@/lib/core/domain/list-page";
import { codebookHref, type CodebookParams } from "@/lib/pages/codebook/address";
import type { ChangeLine } from "@/lib/pages/codebook/history";

import { AnnotationTime } from "../annotations/judgment-words";

const COLUMNS = [
  { id: "version", label: "Version", numeric: true },
  { id: "change", label: "Change" },
  { id: "by", label: "By" },
  { id: "when", label: "When" },
];

export function HistoryTab({ page, params }: { page: ListPage<ChangeLine>; params: CodebookParams }) {
  if (page.rows.length === 0)
    return (
      <Notice title="Nothing was changed yet">
        Every codebook begins with the same few categories. Whatever is changed is listed here.
      </Notice>
    );
  return (
    <>
      <Table caption="Changes of the codebook" columns={COLUMNS}>
        <tbody>
          {page.rows.map(({ version, author, createdAt, text }) => (
            <tr key={version}>
              <td className="numeric">{version}</td>
              <td className="wrap codebook-change">{text}</td>
              <td className="cut">{author === "" ? "no name given" : author}</td>
              <td className="nowrap">
                <AnnotationTime timestamp={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager
        page={page}
        noun="change"
        label="Pages of changes"
        hrefOf={(to) => codebookHref(params, { page: to })}
      />
      <p className="caption table-note">
        Judgments store the version that they were saved with, so each keeps what its categories meant then.
      </p>
    </>
  );
}
