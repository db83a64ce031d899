import { z } from "zod";

import { ValidationError } from "@/lib/domain/app-error";

/** Characters of a view's name. */
export const LONGEST_NAME = 80;
const LONGEST_HREF = 4000;
/** First parts of the addresses of pages; anything else is not a view. */
const PAGES = [
  "",
  "jobs",
  "trials",
  "datasets",
  "tasks",
  "compare",
  "beside",
  "errors",
  "annotations",
  "load-report",
] as const;
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

/** What whoever names something calls it: one line of up to 80 characters. */
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

/** Who saved it; null where nobody says. */
const createdBy = z
  .string()
  .max(200)
  .transform((text) => text.trim())
  .nullable()
  .transform((text) => (text === "" ? null : text));

export const NEW_VIEW = z.object({
  name,
  href: z.string().transform((text, context) => {
    const href = parseViewHref(text);
    if (href !== null) return href;
    context.addIssue("Only pages of Assay can be saved.");
    return z.NEVER;
  }),
  createdBy,
});

export const VIEW_ID = z.object({ id: z.uuid() });
export const RENAMED_VIEW = VIEW_ID.extend({ name });

/** What is asked of a view or run set, checked. @throws ValidationError with a sentence a field */
export function parseView<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0] ?? ""), message]),
  );
  throw new ValidationError(parsed.error.issues[0]?.message ?? "It was not saved.", fields);
}

/** Runs of a set at most, as in an address. */
const MOST_MEMBERS = 50;
const LONGEST_KEY = 2000;

/** The runs of a saved set, as its row keeps them. */
export const RUN_SET_MEMBERS = z
  .array(
    z.object({
      /** The job's own id, which a renamed or moved folder keeps; null where its files state none. */
      job: z.string().max(LONGEST_KEY).nullable(),
      /** The job's key and name when it was saved. */
      jobKey: z.string().max(LONGEST_KEY),
      jobName: z.string().max(LONGEST_KEY),
      group: z.string().max(LONGEST_KEY),
    }),
  )
  .min(1)
  .max(MOST_MEMBERS);

/** What is said of some runs: that they count together, or that they are no repeats of one another. */
export const RUN_SET_KINDS = ["together", "apart"] as const;

/** Characters of a rule on names. */
const LONGEST_RULE = 200;

/** What is said of some runs, as it is to be saved. */
export const NEW_RUN_SET = z.object({
  name,
  members: RUN_SET_MEMBERS,
  createdBy,
  kind: z.enum(RUN_SET_KINDS).default("together"),
  rule: z.string().min(1).max(LONGEST_RULE).nullable().default(null),
});

/** Which run set: the eight letters and digits that addresses name it by. */
export const RUN_SET_ID = z.object({ id: z.string().regex(/^[0-9a-f]{8}$/u) });
export const RENAMED_RUN_SET = RUN_SET_ID.extend({ name });
