import { randomUUID } from "node:crypto";

import { z } from "zod";

import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { ForbiddenError, NotFoundError } from "@/lib/core/domain/app-error";
import type { ImportedTag, ToolTag } from "@/lib/core/domain/imported-tag";
import { toColumnText } from "@/lib/store/database";

import { tagEvidenceSchema } from "../draft-schema";
import { type Actor, mayChange } from "../owner";
import { addStatements, createReader, type NewStatement, type Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { trialSchema } from "../stored-columns";
import type { AnnotationDb } from "../tables";

/** An undo and the tags have their import as parent. */
const tagSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("imported") }),
  z.object({ kind: z.literal("undone") }),
  z.object({
    kind: z.literal("tag"),
    trial: trialSchema,
    source: z.string(),
    category: z.string(),
    description: z.string().nullable(),
    evidence: tagEvidenceSchema,
  }),
]);

type Tag = z.output<typeof tagSchema>;

interface Tags {
  /** Valid tags without descriptions. */
  readonly standing: readonly (ToolTag & { readonly trial: TrialIdentity; readonly importId: string })[];
  /** Imports that were not undone. */
  readonly made: ReadonlyMap<string, Statement<Tag>>;
}

const NOTHING: Tags = { standing: [], made: new Map() };
const IMPORTS = "";

const { read, select: selectTags } = createReader<Tag, Tags>(
  { name: "imported_tag", body: tagSchema },
  NOTHING,
  addTags,
);

export const readImportedTags = read;

function addTags(before: Tags, added: readonly Statement<Tag>[]): Tags {
  const made = new Map(before.made);
  const tags = [...before.standing];
  for (const statement of added) {
    const { id, parent, body } = statement;
    if (body.kind === "imported") made.set(id, statement);
    else if (parent === null) continue;
    else if (body.kind === "undone") made.delete(parent);
    else tags.push({ importId: parent, trial: body.trial, source: body.source, category: body.category });
  }
  return { standing: tags.filter(({ importId }) => made.has(importId)), made };
}

/** Lists imports that were not undone, newest first. */
export async function readTagImports(store: AnnotationStore) {
  const { standing, made } = await readImportedTags(store);
  const byImport = Map.groupBy(standing, ({ importId }) => importId);
  return [...made.values()].toReversed().flatMap(({ id: importId, author, actor, at: createdAt }) => {
    const own = byImport.get(importId) ?? [];
    const sources = [...new Set(own.map(({ source }) => source))];
    return own.length === 0 ? [] : { importId, author, actor, createdAt, nTags: own.length, sources };
  });
}

export async function readTrialTags(store: AnnotationStore, trial: TrialIdentity) {
  const { made } = await readImportedTags(store);
  const own = await store.read([], (db) => selectTags(db, toColumnText(trial.trialName)));
  return listTags(own, made).filter((tag) => isSameTrial(tag.trial, trial));
}

export async function selectStandingTags(db: AnnotationDb): Promise<readonly ImportedTag[]> {
  const statements = await selectTags(db);
  return listTags(statements, addTags(NOTHING, statements).made);
}

function listTags(statements: readonly Statement<Tag>[], made: Tags["made"]): readonly ImportedTag[] {
  return statements.flatMap(({ parent, body }) => {
    if (body.kind !== "tag" || !made.has(parent ?? "")) return [];
    const { kind: _, ...tag } = body;
    return tag;
  });
}

export function prepareTags(
  tags: readonly ImportedTag[],
  { author, actor, now }: { readonly author: string; readonly actor: Actor; readonly now: Date },
): readonly NewStatement[] {
  if (tags.length === 0) return [];
  const event = prepareEvent(author, actor, now);
  const id = randomUUID();
  return [
    { ...event, id, body: { kind: "imported" } },
    ...tags.map((tag) => ({
      ...event,
      subject: tag.trial.trialName,
      parent: id,
      body: { kind: "tag", ...tag },
    })),
  ];
}

function prepareEvent(author: string, { browserKeyHash: actor }: Actor, now: Date) {
  return { kind: "imported_tag", subject: IMPORTS, author, actor, at: now.toISOString() } as const;
}

/** Undoes a whole tag import; importing again restores it. */
export async function undoTagImport(
  store: AnnotationStore,
  { importId, author, actor }: { readonly importId: string; readonly author: string; readonly actor: Actor },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const events = await selectTags(db, IMPORTS);
    const made = events.find(({ id }) => id === importId);
    if (made?.body.kind !== "imported" || events.some(({ parent }) => parent === importId))
      throw new NotFoundError("There is no such import to undo.");
    if (!mayChange(made.actor, actor))
      throw new ForbiddenError(
        "These tags were imported in another browser. Only that browser or an admin can undo it.",
      );
    const undo = { ...prepareEvent(author, actor, now), parent: importId, body: { kind: "undone" } };
    await addStatements(db, [undo]);
  });
}
