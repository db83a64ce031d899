import type { Route } from "next";

import { type AddressValues, createAddress } from "../address/address";
import { name, oneOf, pageNumber, text } from "../address/values";
import { CODEBOOK_HREF } from "../annotations/review-address";

const CODEBOOK_TABS = ["categories", "coding", "history", "file"] as const;

/** In place of an id: the form of a new category, followed by its name. No id begins so. */
const NEW_CATEGORY = "new:";

export const codebookAddress = createAddress(
  {
    tab: oneOf(CODEBOOK_TABS),
    text,
    show: oneOf(["live", "all"]),
    page: pageNumber,
    open: name,
  },
  { text: "q" },
);

export type CodebookParams = AddressValues<typeof codebookAddress>;

export function codebookHref(params: Partial<CodebookParams>, change: Partial<CodebookParams> = {}): Route {
  const isOtherList = Object.keys(change).some((one) => one !== "open");
  const page = isOtherList ? 1 : params.page;
  return codebookAddress.href(CODEBOOK_HREF, { ...params, page, ...change });
}

export const CODEBOOK_FILE_HREF = `${CODEBOOK_HREF}/export` as Route;

export function newCategoryHref({ tab }: Pick<CodebookParams, "tab">, label = ""): Route {
  return codebookHref({ tab: tab === "coding" ? tab : "categories", open: NEW_CATEGORY + label });
}

export function readNewCategory({ open }: Pick<CodebookParams, "open">): string | null {
  return open?.startsWith(NEW_CATEGORY) === true ? open.slice(NEW_CATEGORY.length) : null;
}
