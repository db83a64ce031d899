import { z } from "zod";

import { CATEGORY_COLOURS, CATEGORY_LIMITS } from "@/lib/core/domain/codebook";
import { CATEGORY_CONTEXTS } from "@/lib/core/domain/review";

const line = z.string().transform((text) => text.toWellFormed().normalize("NFC").replace(/\s+/g, " ").trim());

const label = line.pipe(
  z
    .string()
    .min(1, "A category needs a name.")
    .max(CATEGORY_LIMITS.label, `At most ${String(CATEGORY_LIMITS.label)} characters.`),
);

const text = z
  .string()
  .max(CATEGORY_LIMITS.text, `At most ${CATEGORY_LIMITS.text.toLocaleString("en-US")} characters.`)
  .transform((given) => given.toWellFormed().replace(/\r\n?/g, "\n").trim());

const id = z.string().min(1).max(100);

const categoryTextSchema = z.object({
  label,
  definition: text.default(""),
  example: text.default(""),
  counterExample: text.default(""),
  colour: z.enum(CATEGORY_COLOURS).nullable().default(null),
  parentId: id.nullable().default(null),
  contexts: z.array(z.enum(CATEGORY_CONTEXTS)).min(1, "Choose at least one verdict to offer it for."),
});

const newCategory = categoryTextSchema.extend({ id });

export const importedCategorySchema = newCategory.extend({
  state: z.enum(["live", "merged", "split", "retired"]).default("live"),
  successors: z.array(id).max(1_000).default([]),
  key: z.int().min(1).max(9).nullable().default(null),
});

export type ImportedCategory = z.output<typeof importedCategorySchema>;

/**
 * `merge` makes judgments of `ids` count for `into`. After `split`, people choose again between `into`. `open-coding` sets whether
 * reviewers only write notes.
 */
export const changeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("add"),
    categories: z.array(newCategory).min(1).max(CATEGORY_LIMITS.categories),
  }),
  z.object({ kind: z.literal("edit"), id, text: categoryTextSchema }),
  z.object({ kind: z.literal("merge"), ids: z.array(id).min(1).max(1_000), into: id }),
  z.object({ kind: z.literal("split"), id, into: z.array(newCategory).min(2).max(20) }),
  z.object({ kind: z.literal("retire"), id }),
  z.object({ kind: z.literal("restore"), id }),
  z.object({ kind: z.literal("open-coding"), isOn: z.boolean() }),
  z.object({
    kind: z.literal("import"),
    categories: z.array(importedCategorySchema).min(1).max(CATEGORY_LIMITS.categories),
  }),
]);

export type CodebookChange = z.output<typeof changeSchema>;

export function listTouched(change: CodebookChange): readonly string[] {
  switch (change.kind) {
    case "add":
    case "import":
      return change.categories.map((category) => category.id);
    case "merge":
      return [...change.ids, change.into];
    case "split":
      return [change.id, ...change.into.map((category) => category.id)];
    case "edit":
    case "retire":
    case "restore":
      return [change.id];
    case "open-coding":
      return [];
  }
}
