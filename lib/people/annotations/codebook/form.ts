import { randomUUID } from "node:crypto";

import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { type Category, type CategoryText, type Codebook, foldLabel } from "@/lib/core/domain/codebook";

import { check, describeFormIssue } from "../issues";
import type { CodebookHistory } from "./fold";

export type CategoryForm = Omit<CategoryText, "parentId"> & { readonly parent: string };

export interface SplitPart {
  readonly label: string;
  readonly definition: string;
}

export type CodebookForm =
  | { readonly kind: "add"; readonly text: CategoryForm }
  | { readonly kind: "edit"; readonly id: string; readonly text: CategoryForm }
  | { readonly kind: "merge"; readonly id: string; readonly into: string }
  | { readonly kind: "split"; readonly id: string; readonly parts: readonly SplitPart[] }
  | { readonly kind: "retire" | "restore"; readonly id: string }
  | { readonly kind: "open-coding"; readonly isOn: boolean };

const typed = z.string().max(10_000);
const texts = z.object({ parent: typed }).loose();
const formSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("add"), text: texts }),
  z.object({ kind: z.literal("edit"), id: typed, text: texts }),
  z.object({ kind: z.literal("merge"), id: typed, into: typed }),
  z.object({
    kind: z.literal("split"),
    id: typed,
    parts: z.array(z.object({ label: typed, definition: typed })).max(20, "At most 20 new categories."),
  }),
  z.object({ kind: z.enum(["retire", "restore"]), id: typed }),
  z.object({ kind: z.literal("open-coding"), isOn: z.boolean() }),
]);

/** @throws ValidationError for unknown names or bad input */
export function readCodebookForm({ codebook, byId }: CodebookHistory, form: CodebookForm): object {
  const parsed = check(formSchema, form);
  if (!parsed.success) throw new ValidationError(describeFormIssue(parsed.error), {});
  const { data } = parsed;
  const findId = (label: string) => findLive(codebook, label);
  const toText = ({ parent, ...text }: z.output<typeof texts>) => ({
    ...text,
    parentId: parent.trim() === "" ? null : findId(parent),
  });
  switch (data.kind) {
    case "add":
      return { kind: "add", categories: [{ ...toText(data.text), id: randomUUID() }] };
    case "edit":
      return { ...data, text: toText(data.text) };
    case "merge":
      return { kind: "merge", ids: [data.id], into: findId(data.into) };
    case "split":
      return { kind: "split", id: data.id, into: makeParts(data.parts, byId.get(data.id)) };
    case "retire":
    case "restore":
    case "open-coding":
      return data;
  }
}

function findLive({ categories }: Codebook, label: string): string {
  const folded = foldLabel(label);
  if (folded === "") throw new ValidationError("Name the category to merge into.", {});
  const found = categories.find((one) => one.state === "live" && foldLabel(one.label) === folded);
  if (found !== undefined) return found.id;
  throw new ValidationError(`No available category is called “${label.trim()}”.`, {});
}

function makeParts(parts: readonly SplitPart[], before: Category | undefined) {
  const named = parts.filter(({ label, definition }) => `${label}${definition}`.trim() !== "");
  if (named.length < 2) throw new ValidationError("Name at least 2 categories to split it into.", {});
  const { contexts = [], parentId = null, colour = null } = before ?? {};
  return named.map((part) => ({ ...part, id: randomUUID(), contexts, parentId, colour }));
}
