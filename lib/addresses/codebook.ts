import type { Route } from "next";

import { type AddressValues, createAddress } from "./address";
import { CODEBOOK_HREF } from "./review";
import { name, oneOf, pageNumber, text } from "./values";

/** Tabs of the codebook: its categories, notes before categories, what was changed, and files. */
const CODEBOOK_TABS = ["categories", "coding", "history", "file"] as const;

/** In place of an id: the form of a new category, with the name that follows. No id begins so. */
const NEW_CATEGORY = "new:";

export const codebookAddress = createAddress(
  {
    tab: oneOf(CODEBOOK_TABS),
    text,
    /** Whether merged, split and retired categories are listed too. */
    show: oneOf(["live", "all"]),
    page: pageNumber,
    /** Id of the category that is open, or that of a new one, see {@link readNewCategory}; null for none. */
    open: name,
  },
  { text: "q" },
);

export type CodebookParams = AddressValues<typeof codebookAddress>;

/** The address of the codebook with some values changed; another list starts at page 1, opening a category does not. */
export function codebookHref(params: Partial<CodebookParams>, change: Partial<CodebookParams> = {}): Route {
  const isOtherList = Object.keys(change).some((one) => one !== "open");
  const page = isOtherList ? 1 : params.page;
  return codebookAddress.href(CODEBOOK_HREF, { ...params, page, ...change });
}

export const CODEBOOK_FILE_HREF = `${CODEBOOK_HREF}/export` as Route;

/** The address of the form of a new category, beside the notes where they are read. @param label - typed already */
export function newCategoryHref({ tab }: Pick<CodebookParams, "tab">, label = ""): Route {
  return codebookHref({ tab: tab === "coding" ? tab : "categories", open: NEW_CATEGORY + label });
}

/** Returns the name that the form of a new category begins with; null where that form is not open. */
export function readNewCategory({ open }: Pick<CodebookParams, "open">): string | null {
  return open?.startsWith(NEW_CATEGORY) === true ? open.slice(NEW_CATEGORY.length) : null;
}
