import type { Metadata } from "next";

import { drawUnlessUnreadable } from "@/components/annotations/annotations-page";
import { CodebookDesk, FileTab } from "@/components/codebook/codebook-desk";
import { CategoriesTab, CodingTab, HistoryTab } from "@/components/codebook/codebook-tabs";
import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { Segment } from "@/components/ui/segment";
import { formatPlural } from "@/lib/core/format/number";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import {
  codebookAddress,
  codebookHref,
  type CodebookParams,
  newCategoryHref,
} from "@/lib/pages/codebook/address";
import {
  type CodebookHead,
  getCategoriesPage,
  getCodebookChanges,
  getCodebookHead,
  getCodingPage,
} from "@/lib/pages/codebook/page";
import { getStore } from "@/lib/pages/shell/catalog";

import { ReviewPage } from "../review-page";

export const metadata: Metadata = { title: "Codebook" };

const PARTS = [
  { value: "categories", label: "Categories" },
  { value: "coding", label: "Open coding" },
  { value: "history", label: "History" },
  { value: "file", label: "Import, export" },
] as const;

export default function CodebookRoute(props: PageProps<"/annotations/codebook">) {
  return drawUnlessUnreadable("Codebook", () => drawPage(props));
}

async function drawPage({ searchParams }: PageProps<"/annotations/codebook">) {
  const search = await searchParams;
  const params = codebookAddress.read(search);
  const [head, { reviewerId }] = await Promise.all([getCodebookHead(), getReviewer()]);
  return (
    <ReviewPage
      current="codebook"
      totals={await getRecordedTotals()}
      label="Codebook"
      unknown={codebookAddress.listUnknown(search)}
      summary={describeHead(head)}
      actions={
        <ForAction action="changeCodebookAction">
          <ButtonLink href={newCategoryHref(params)}>Add category</ButtonLink>
        </ForAction>
      }
    >
      <CodebookDesk version={head.version} reviewerId={reviewerId} parts={<Parts tab={params.tab} />}>
        {await openTab(params, head)}
      </CodebookDesk>
    </ReviewPage>
  );
}

function Parts({ tab }: Pick<CodebookParams, "tab">) {
  return (
    <Segment
      label="Parts of the codebook"
      value={tab}
      options={PARTS}
      hrefOf={(value) => codebookHref({ tab: value })}
    />
  );
}

async function openTab(params: CodebookParams, head: CodebookHead) {
  switch (params.tab) {
    case "categories":
      return <CategoriesTab page={await getCategoriesPage(params)} head={head} params={params} />;
    case "coding":
      return <CodingTab page={await getCodingPage(await getStore(), params)} head={head} params={params} />;
    case "history":
      return <HistoryTab page={await getCodebookChanges(params)} params={params} />;
    case "file":
      return <FileTab />;
  }
}

function describeHead({ version, nLive, nCategories, isOpenCoding }: CodebookHead): string {
  const live = `${formatPlural(nLive, "category", "categories")} in use`;
  const others = nCategories === nLive ? "" : `, ${nCategories - nLive} merged, split or retired`;
  return `Codebook, version ${version}: ${live}${others}.${isOpenCoding ? " Open coding is on." : ""}`;
}
