import { z } from "zod";

import { ValidationError } from "@/lib/domain/app-error";

/** Characters of a view's name. */
export const LONGEST_NAME = 80;
const LONGEST_HREF = 4000;
/** First parts of the addresses of pages; anything else is not a view. */
const PAGES = ["", "jobs", "compare", "errors", "annotations", "load-report"] as const;
/** Where an address is resolved to see whether it stays here. */
const HERE = "http://here.invalid";

/** Path and query of an address of this program's pages; null for anything else, such as another site, a file or a script. */
export function parseViewHref(text: string): string | null {
  if (text.length > LONGEST_HREF || !text.startsWith("/") || !URL.canParse(text, HERE)) return null;
  const { origin, pathname, search } = new URL(text, HERE);
  if (origin !== HERE || pathname.startsWith("//")) return null;
  if (!PAGES.some((page) => page === pathname.split("/")[1])) return null;
  return pathname + search;
}

const name = z
  .string()
  .transform((text) =>
    text
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim(),
  )
  .refine((text) => text !== "", "Give it a name.")
  .refine((text) => text.length <= LONGEST_NAME, `A name has at most ${LONGEST_NAME} characters.`);

const id = z.uuid();

const saveSchema = z.object({
  name,
  href: z.string().transform((text, context) => {
    const href = parseViewHref(text);
    if (href !== null) return href;
    context.addIssue("Only pages of Assay can be saved.");
    return z.NEVER;
  }),
  createdBy: z
    .string()
    .max(200)
    .transform((text) => text.trim())
    .nullable()
    .transform((text) => (text === "" ? null : text)),
});

const renameSchema = z.object({ id, name });
const idSchema = z.object({ id });

/** A view as it is to be saved. */
export type NewView = Readonly<z.output<typeof saveSchema>>;

/** @throws ValidationError with a sentence a field */
export function parseNewView(value: unknown): NewView {
  return parse(saveSchema, value);
}

/** @throws ValidationError with a sentence a field */
export function parseRename(value: unknown): Readonly<z.output<typeof renameSchema>> {
  return parse(renameSchema, value);
}

/** @throws ValidationError */
export function parseViewId(value: unknown): string {
  return parse(idSchema, { id: value }).id;
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0] ?? ""), message]),
  );
  throw new ValidationError(parsed.error.issues[0]?.message ?? "The view was not saved.", fields);
}
