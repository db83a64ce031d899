import { z } from "zod";

import {
  type Annotation,
  type AnnotationSubject,
  computeReviewerKey,
  isSameTrial,
  type SavedBy,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { compareText } from "@/lib/core/domain/compare-text";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, CONFIDENCES } from "@/lib/core/domain/review";
import { toColumnText } from "@/lib/store/database";

import { evidenceSchema } from "./draft-schema";
import { createLogReader, type Kind, type NewStatement, type Statement } from "./statements/statement";
import { subjectSchema, trialSchema } from "./stored-columns";
import type { AnnotationDb } from "./tables";

const NO_TEXTS = "not a list of strings";

export const SAVED_BY = z.custom<SavedBy>(
  (value) => value === "admin" || (typeof value === "string" && /^import by [^\0]{1,200}$/u.test(value)),
  'Neither "admin" nor "import by" and a name.',
);

export const SCHEMA_VERSION = 1;

/** A withdrawal has no judgment, and the save that it withdraws as its parent. */
const bodySchema = z.object({
  trial: subjectSchema,
  reviewerDiscipline: z.string().nullable(),
  judgment: z.enum(JUDGMENTS).nullable(),
  categories: z.array(z.string(NO_TEXTS), NO_TEXTS).readonly(),
  notes: z.string().nullable(),
  confidence: z.enum(CONFIDENCES).nullable(),
  evidence: evidenceSchema.readonly(),
  queue: z.object({ queueId: z.string(), position: z.number() }).readonly().nullable(),
  hidden: z.array(z.enum(BLIND_PARTS)).readonly().nullable(),
  codebookVersion: z.number().nullable(),
  fingerprint: z.string().nullable(),
  /** Person who acted for the reviewer; null for the reviewer. */
  savedBy: SAVED_BY.nullable(),
  schemaVersion: z.literal(SCHEMA_VERSION, "of a newer Assay"),
});

export type JudgmentBody = Readonly<z.output<typeof bodySchema>>;

export interface AnnotationEvent extends Statement<JudgmentBody> {
  readonly reviewerKey: string;
}

export const WITHDRAWN = {
  judgment: null,
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
  hidden: null,
  codebookVersion: null,
  fingerprint: null,
} as const;

export const JUDGMENT: Kind<JudgmentBody> = {
  name: "judgment",
  body: bodySchema,
  findContradiction: ({ parent, body }) =>
    (parent === null) === (body.judgment === null) ? "neither a save nor a withdrawal" : null,
};

const { select, ...reader } = createLogReader(JUDGMENT, toEvent);

export const { read: readJudgments, fold: foldJudgments } = reader;

export function toEvent(statement: Statement<JudgmentBody>): AnnotationEvent {
  return { ...statement, reviewerKey: computeReviewerKey(statement.author) };
}

export function prepareJudgment({
  body,
  ...made
}: Omit<NewStatement<Omit<JudgmentBody, "schemaVersion">>, "kind" | "subject">): NewStatement<JudgmentBody> {
  const trial = toStoredSubject(body.trial);
  const said = { ...body, trial, schemaVersion: SCHEMA_VERSION } as const;
  return { ...made, kind: JUDGMENT.name, subject: trial.trialName, body: said };
}

/** Includes ids of other trials and of unreadable rows. */
export async function isIdTaken(db: AnnotationDb, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("statement")
    .select("seq")
    .where((where) => where.and({ kind: JUDGMENT.name, id }))
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectTrialEvents(db: AnnotationDb, trial: TrialIdentity) {
  const identity = toStoredIdentity(trial);
  const events = (await select(db, identity.trialName)).map(toEvent);
  return events.filter(({ body }) => isSameTrial(body.trial, identity));
}

export async function selectChain(db: AnnotationDb, trial: TrialIdentity, reviewer: string) {
  return (await selectTrialEvents(db, trial)).filter(({ reviewerKey }) => reviewerKey === reviewer);
}

/** Normalizes ids and names for storage: results come from other programs and may contain any text. */
function normalize<Subject extends TrialIdentity>(schema: z.ZodType<Subject>, subject: Subject): Subject {
  const values: [string, unknown][] = Object.entries(schema.parse(subject));
  const texts = values.map(([name, value]) => [
    name,
    typeof value === "string" ? toColumnText(value) : value,
  ]);
  return Object.fromEntries(texts) as Subject; // Same keys as the schema.
}

export const toStoredSubject = (subject: AnnotationSubject) =>
  normalize<AnnotationSubject>(subjectSchema, subject);
export const toStoredIdentity = (trial: TrialIdentity) => normalize<TrialIdentity>(trialSchema, trial);

export interface ReviewerChain {
  readonly reviewerKey: string;
  readonly reviewerId: string;
  /** The reviewer's last event, including withdrawals. A save names it as its base. */
  readonly headVersionId: string;
  readonly current: Annotation | null;
  readonly versions: readonly Annotation[];
}

export interface TrialAnnotations {
  readonly subject: AnnotationSubject;
  readonly chains: readonly ReviewerChain[];
}

/** Builds one chain per reviewer, most recent first. Withdrawing a correction restores the earlier version. */
export function computeChains(events: readonly AnnotationEvent[]): ReviewerChain[] {
  const byReviewer = Map.groupBy(events.toReversed(), ({ reviewerKey }) => reviewerKey);
  return [...byReviewer.values()].map((chain) => computeChain(chain.toReversed()));
}

/** Orders chains by first judgment, so that later events never reorder them. */
export function orderByFirst(chains: readonly ReviewerChain[]): readonly ReviewerChain[] {
  const begin = ({ versions }: ReviewerChain) => versions.at(-1)?.timestamp ?? "";
  return chains.toSorted(
    (a, b) => compareText(begin(a), begin(b)) || compareText(a.reviewerKey, b.reviewerKey),
  );
}

export function groupByTrial(events: readonly AnnotationEvent[]): TrialAnnotations[] {
  return groupTrials(events, ({ body }) => body.trial).flatMap((trial) => {
    const last = trial.at(-1);
    return last === undefined ? [] : [{ subject: last.body.trial, chains: computeChains(trial) }];
  });
}

/** Groups items by trial. The group with the last item comes first. */
export function groupTrials<Item>(
  items: readonly Item[],
  trialOf: (item: Item) => TrialIdentity,
): readonly (readonly Item[])[] {
  const byName = new Map<string, Item[][]>();
  const newestFirst = new Set<Item[]>();
  for (const item of items) {
    const trial = trialOf(item);
    const sameName = byName.get(trial.trialName) ?? [];
    let group = sameName.find((one) => one.some((other) => isSameTrial(trialOf(other), trial)));
    if (group === undefined) {
      group = [];
      byName.set(trial.trialName, [...sameName, group]);
    }
    group.push(item);
    newestFirst.delete(group);
    newestFirst.add(group);
  }
  return [...newestFirst].toReversed();
}

function computeChain(events: readonly AnnotationEvent[]): ReviewerChain {
  const withdrawals = new Map(
    events.flatMap((event) => (event.parent === null ? [] : [[event.parent, event]])),
  );
  const currentId = events.findLast(({ id, body }) => body.judgment !== null && !withdrawals.has(id))?.id;
  const versions = events.flatMap(({ id, author, at, body }, index): Annotation[] => {
    const { trial, judgment, schemaVersion: _, ...said } = body;
    if (judgment === null) return [];
    const withdrawal = withdrawals.get(id);
    const kept = id === currentId ? "current" : "superseded";
    return [
      {
        ...said,
        versionId: id,
        subject: trial,
        reviewerId: author,
        timestamp: at,
        judgment,
        version: index + 1,
        status: withdrawal === undefined ? kept : "withdrawn",
        withdrawnAt: withdrawal?.at ?? null,
        withdrawnBy: withdrawal?.body.savedBy ?? null,
      },
    ];
  });
  const head = events.at(-1);
  return {
    reviewerKey: head?.reviewerKey ?? "",
    reviewerId: head?.author ?? "",
    headVersionId: head?.id ?? "",
    current: versions.find((version) => version.status === "current") ?? null,
    versions: versions.toReversed(),
  };
}
