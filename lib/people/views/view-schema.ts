import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";

import type { UnreadableRow } from "../annotations/unreadable-row";

const LONGEST_NAME = 80;
const LONGEST_HREF = 4000;
/** First path segments of pages; other addresses are not views. */
const PAGES = [
  "",
  "jobs",
  "trials",
  "datasets",
  "tasks",
  "compare",
  "beside",
  "diff",
  "errors",
  "annotations",
  "load-report",
] as const;
/** Base to resolve an address against, to see if it leaves this site. */
const HERE = "http://here.invalid";

/** Returns path and query of a page of this program; null for anything else, such as another site, a file or a script. */
export function parseViewHref(text: string): string | null {
  if (text.length > LONGEST_HREF || !text.startsWith("/") || !URL.canParse(text, HERE)) return null;
  const { origin, pathname, search } = new URL(text, HERE);
  if (origin !== HERE || pathname.startsWith("//")) return null;
  if (!PAGES.some((page) => page === pathname.split("/")[1])) return null;
  return pathname + search;
}

export const NAME = z
  .string()
  .transform((text) =>
    text
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim(),
  )
  .refine((text) => text !== "", "Give it a name.")
  .refine((text) => text.length <= LONGEST_NAME, `A name has at most ${LONGEST_NAME} characters.`);

const createdBy = z
  .string()
  .max(200)
  .transform((text) => text.trim())
  .nullable()
  .transform((text) => (text === "" ? null : text));

export const NEW_VIEW = z.object({
  name: NAME,
  href: z.string().transform((text, context) => {
    const href = parseViewHref(text);
    if (href !== null) return href;
    context.addIssue("Only pages of Assay can be saved.");
    return z.NEVER;
  }),
  createdBy,
});

const stored = { name: z.string().min(1).max(LONGEST_NAME), isDeleted: z.boolean() };

export const VIEW_BODY = z.object({
  ...stored,
  href: z.string().refine((href) => parseViewHref(href) === href, "no page of Assay"),
});
export type ViewBody = Readonly<z.output<typeof VIEW_BODY>>;

export const VIEW_ID = z.object({ id: z.uuid() });

/** @throws ValidationError with a sentence per field */
export function parseView<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0] ?? ""), message]),
  );
  throw new ValidationError(parsed.error.issues[0]?.message ?? "It was not saved.", fields);
}

/** As many as an address may have. */
const MOST_MEMBERS = 50;
const LONGEST_KEY = 2000;

export const RUN_SET_MEMBERS = z
  .array(
    z.object({
      /** The job's own id, which survives renaming and moving its folder; null if its files state none. */
      job: z.string().max(LONGEST_KEY).nullable(),
      /** The job's key and name when saved. */
      jobKey: z.string().max(LONGEST_KEY),
      jobName: z.string().max(LONGEST_KEY),
      group: z.string().max(LONGEST_KEY),
    }),
  )
  .min(1)
  .max(MOST_MEMBERS);

/** A run of a saved set: its job's id, else key and name when saved, and the group. */
export type RunSetMember = z.output<typeof RUN_SET_MEMBERS>[number];

/**
 * Finds the job of a saved run by id, preferring the copy with the same key or name, or by key if no id was saved. A job with
 * another id under the same key is another run.
 */
export function findMemberJob<
  Job extends { readonly uuid: string | null; readonly key: string; readonly name: string },
>({ job, jobKey, jobName }: RunSetMember, jobs: readonly Job[]): Job | null {
  const same = jobs.filter(({ uuid, key }) => (job === null ? key === jobKey : uuid === job));
  return (
    same.find(({ key }) => key === jobKey) ?? same.find(({ name }) => name === jobName) ?? same[0] ?? null
  );
}

/** Runs that count together, or that are no repeats of each other. */
const RUN_SET_KINDS = ["together", "apart"] as const;

export const LONGEST_RULE = 200;

export const RUN_SET_BODY = z.object({
  ...stored,
  members: RUN_SET_MEMBERS,
  kind: z.enum(RUN_SET_KINDS),
  /** Rule on job names, see `findRunSets`, that adds new jobs; null if the set is fixed. */
  rule: z.string().nullable(),
});
export type RunSetBody = Readonly<z.output<typeof RUN_SET_BODY>>;

export const NEW_RUN_SET = z.object({
  name: NAME,
  members: RUN_SET_MEMBERS,
  createdBy,
  kind: z.enum(RUN_SET_KINDS).default("together"),
  rule: z.string().min(1).max(LONGEST_RULE).nullable().default(null),
});

export const RUN_SET_ID = z.object({ id: z.string().regex(/^[0-9a-f]{8}$/u) });

export type Entry<Body> = Body & {
  readonly id: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** Reviewer name of the browser; null if it had none. */
  readonly createdBy: string | null;
};

export interface Entries<Body> {
  readonly byId: ReadonlyMap<string, Entry<Body>>;
  readonly unreadable: readonly UnreadableRow[];
}

export interface Bodies {
  readonly view: ViewBody;
  readonly run_set: RunSetBody;
}
export type SavedKind = keyof Bodies;
export type Saved = { readonly [Kind in SavedKind]: Entries<Bodies[Kind]> };
