import { ForAction } from "@/components/shell/account-context";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import {
  codebookHref,
  type CodebookParams,
  newCategoryHref,
  readNewCategory,
} from "@/lib/pages/codebook/address";
import type { CategoriesPage, CodebookHead } from "@/lib/pages/codebook/page";

import { CategoryPanel, NewCategoryPanel } from "./category-panel";
import { CategoryTable } from "./category-table";
import { SplitQueueButton } from "./split-queue-button";

export function CategoriesTab({
  page,
  head,
  params,
}: {
  page: CategoriesPage;
  head: CodebookHead;
  params: CodebookParams;
}) {
  const { list, opened } = page;
  const typed = readNewCategory(params);
  return (
    <>
      <Waiting waiting={page.waiting} />
      <div className="codebook-filters">
        <FilterBar count={formatPlural(list.nMatching, "category", "categories")}>
          <FilterText label="Filter by name, definition" resets={["open"]} />
          <Link
            className={params.show === "all" ? "chip chip-on" : "chip"}
            href={codebookHref(params, { show: params.show === "all" ? "live" : "all" })}
            mode="replace"
            aria-current={params.show === "all" ? "true" : undefined}
          >
            Show merged, split and retired
          </Link>
        </FilterBar>
      </div>
      <div className={opened !== null || typed !== null ? "codebook-columns" : undefined}>
        <div>
          {list.rows.length === 0 ? (
            <Notice title={params.text === "" ? "No category" : "No category matches"}>
              {params.text === ""
                ? "Add one here, or type one in a review form."
                : "No name, definition or example contains this text."}
            </Notice>
          ) : (
            <CategoryTable rows={list.rows} openId={params.open} params={params} />
          )}
          <Pager
            page={list}
            noun="category"
            plural="categories"
            label="Pages of categories"
            hrefOf={(to) => codebookHref(params, { page: to })}
          />
          <Unlisted labels={page.unlisted} params={params} />
        </div>
        {opened === null ? null : (
          <CategoryPanel key={opened.category.id} opened={opened} labels={head.labels} params={params} />
        )}
        {typed === null ? null : (
          <ForAction action="changeCodebookAction" subject="Adding a category">
            <NewCategoryPanel key={params.open} label={typed} labels={head.labels} params={params} />
          </ForAction>
        )}
      </div>
    </>
  );
}

function Waiting({ waiting }: Pick<CategoriesPage, "waiting">) {
  if (waiting.length === 0) return null;
  return (
    <ul className="codebook-waiting" aria-label="To be relabelled">
      {waiting.map(({ id, label, nTrials }) => (
        <li key={id} className="row">
          <span>
            “{label}” was split: {formatPlural(nTrials, "trial")} to choose again.
          </span>
          <ForAction action="queueSplitAction">
            <SplitQueueButton id={id} nTrials={nTrials} />
          </ForAction>
        </li>
      ))}
    </ul>
  );
}

function Unlisted({ labels, params }: { labels: CategoriesPage["unlisted"]; params: CodebookParams }) {
  if (labels.length === 0) return null;
  return (
    <p className="caption codebook-unlisted">
      Categories of older judgments that are not in the codebook:{" "}
      {labels.map(({ label, nTrials }, at) => (
        <span key={label}>
          {at === 0 ? null : ", "}
          <Link href={newCategoryHref(params, label)} mode="stay">
            add “{label}”
          </Link>{" "}
          ({formatPlural(nTrials, "trial")})
        </span>
      ))}
      .
    </p>
  );
}
