import { z } from "zod";

import { ValidationError } from "@/lib/domain/app-error";

/** Characters of a view's name. */
export const LONGEST_NAME = 80;
const LONGEST_HREF = 4000;
/** First parts of the addresses of pages; anything else is not a view. */
const PAGES = ["", "jobs", "compare", "beside", "errors", "annotations", "load-report"] as const;
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

/** A view as it is to be saved. */
export const NEW_VIEW = z.object({
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

/** Which view. */
export const VIEW_ID = z.object({ id: z.uuid() });
/** Which view, and its name from now on. */
export const RENAMED_VIEW = VIEW_ID.extend({ name });

/** What is asked of a view, checked. @throws ValidationError with a sentence a field */
export function parseView<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0] ?? ""), message]),
  );
  throw new ValidationError(parsed.error.issues[0]?.message ?? "The view was not saved.", fields);
}
