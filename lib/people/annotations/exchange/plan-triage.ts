import { computeReviewerKey, isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import type { ImportedTag } from "@/lib/core/domain/imported-tag";

import type { Actor } from "../owner";
import type { AnswerEvent } from "../triage/answers";
import type { NoteEvent } from "../triage/note-rows";
import type { AnswerLine, Gathered, NoteLine, TagLine } from "./gather";
import type { LinePlace } from "./judgment-line";
import type { ImportConflict } from "./plan-import";
import { findLineTrial } from "./tag-line";
import type { AnswerFields, NoteFields } from "./triage-line";

export interface TriageContent {
  readonly tags: readonly ImportedTag[];
  readonly answers: readonly AnswerEvent[];
  readonly notes: readonly NoteEvent[];
}

export interface TriagePlan {
  readonly tags: readonly ImportedTag[];
  readonly answers: readonly AnswerFields[];
  readonly notes: readonly NoteFields[];
  readonly nKnown: number;
  readonly conflicts: readonly ImportConflict[];
  readonly trials: readonly TrialIdentity[];
}

export interface PlacedTag extends LinePlace {
  readonly tag: ImportedTag;
}

export interface PlacedTags {
  readonly tags: readonly PlacedTag[];
  readonly lost: readonly { readonly line: TagLine; readonly message: string }[];
}

export function placeTags(lines: readonly TagLine[], open: readonly TrialIdentity[] | null): PlacedTags {
  const byName = open === null ? null : groupByNames(open);
  const tags: PlacedTag[] = [];
  const lost: PlacedTags["lost"][number][] = [];
  for (const line of lines) {
    const { category, source, description = null, evidence } = line.fields;
    const trial = findLineTrial(line.fields, byName === null ? null : (byName.get(line.fields.trial) ?? []));
    if (typeof trial === "string") lost.push({ line, message: trial });
    else
      tags.push({
        file: line.file,
        line: line.line,
        tag: { trial: pickIdentity(trial), source, category, description, evidence },
      });
  }
  return { tags, lost };
}

function groupByNames(open: readonly TrialIdentity[]): ReadonlyMap<string, readonly TrialIdentity[]> {
  const byName = new Map<string, TrialIdentity[]>();
  const add = (name: string, trial: TrialIdentity) => {
    const own = byName.get(name);
    if (own === undefined) byName.set(name, [trial]);
    else own.push(trial);
  };
  for (const trial of open) {
    add(trial.trialName, trial);
    if (trial.trialId !== null && trial.trialId !== trial.trialName) add(trial.trialId, trial);
  }
  return byName;
}

function pickIdentity({ trialId, jobUuid, trialName, jobName }: TrialIdentity): TrialIdentity {
  return { trialId, jobUuid, trialName, jobName };
}

export function planTriage(
  { answers, notes }: Pick<Gathered, "answers" | "notes">,
  placed: readonly PlacedTag[],
  content: TriageContent,
  actor: Actor,
): TriagePlan {
  const tags = planTags(placed, content.tags);
  const answered = planAnswers(answers, content.answers);
  const noted = planNotes(notes, content.notes, actor);
  return {
    tags,
    answers: answered.added,
    notes: noted.added,
    nKnown: placed.length - tags.length + answered.nKnown + noted.nKnown,
    conflicts: [...answered.conflicts, ...noted.conflicts],
    trials: listTrials([
      ...placed.map(({ tag }) => tag.trial),
      ...answers.map(({ fields }) => readAnswerTrial(fields)),
    ]),
  };
}

/** Removes duplicates, since trials of one name are compared pairwise. */
function listTrials(named: readonly TrialIdentity[]): readonly TrialIdentity[] {
  const trials = new Map(
    named.map((trial) => {
      const { trialId, jobUuid, trialName, jobName } = trial;
      return [JSON.stringify([trialName, trialId, jobUuid, jobName]), trial];
    }),
  );
  for (const own of Map.groupBy(trials.values(), ({ trialName }) => trialName).values())
    refuseMany(own.length, "different trials of one name");
  return [...trials.values()];
}

const MOST_COMPARED = 1_000;

function refuseMany(n: number, what: string): void {
  if (n > MOST_COMPARED)
    throw new ValidationError(
      `The files hold more than ${MOST_COMPARED.toLocaleString("en-US")} ${what}, which no tool writes.`,
      {},
    );
}

/** A tag has no id: its trial and content identify it. */
function planTags(placed: readonly PlacedTag[], stored: readonly ImportedTag[]): readonly ImportedTag[] {
  const known = new Map(Array.from(Map.groupBy(stored, nameTag), ([name, tags]) => [name, [...tags]]));
  return placed.flatMap(({ tag }) => {
    const name = nameTag(tag);
    const same = known.get(name) ?? [];
    if (same.some(({ trial }) => isSameTrial(trial, tag.trial))) return [];
    refuseMany(same.length, "trials of one name with the very same tag");
    same.push(tag);
    known.set(name, same);
    return [tag];
  });
}

function nameTag({ trial, source, category, description, evidence }: ImportedTag): string {
  // Evidence fields are always in the same order.
  return JSON.stringify([trial.trialName, source, category, description, evidence]);
}

function readAnswerTrial(fields: AnswerFields): TrialIdentity {
  return {
    trialId: fields.trial_id,
    jobUuid: fields.job_id,
    trialName: fields.trial_name,
    jobName: fields.job_name,
  };
}

export function toAnswerRow(fields: AnswerFields) {
  const { trialId, jobUuid, trialName, jobName } = readAnswerTrial(fields);
  return {
    kind: fields.answer,
    suggester: fields.suggester,
    version: fields.version,
    trial_id: trialId,
    job_id: jobUuid,
    trial_name: trialName,
    job_name: jobName,
    reviewer_key: computeReviewerKey(fields.reviewer_id),
    reviewer_id: fields.reviewer_id,
    created_at: fields.timestamp,
  };
}

export function toNoteRow({ kind, target, text, about, author, timestamp }: NoteFields) {
  return { kind, target, text, about: JSON.stringify(about), author, created_at: timestamp };
}

function planAnswers(lines: readonly AnswerLine[], stored: readonly AnswerEvent[]) {
  const byName = Map.groupBy(stored, ({ trial_name: name }) => name);
  const added: AnswerFields[] = [];
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  for (const { fields, ...place } of lines) {
    const trial = readAnswerTrial(fields);
    const own = (byName.get(fields.trial_name) ?? []).filter(
      (event) =>
        event.suggester === fields.suggester &&
        event.version === fields.version &&
        event.reviewer_key === computeReviewerKey(fields.reviewer_id) &&
        isSameTrial(readEventTrial(event), trial),
    );
    const last = own.at(-1);
    // Do not restore an answer that was changed or undone here since.
    const wasHere = own.some(({ kind, created_at: at }) => kind === fields.answer && at === fields.timestamp);
    if (wasHere || last?.kind === fields.answer) nKnown += 1;
    else if (last === undefined || last.kind === "withdrawn") added.push(fields);
    else
      conflicts.push({
        ...place,
        kind: "fork",
        trialName: fields.trial_name,
        jobName: fields.job_name,
        reviewerId: fields.reviewer_id,
        message: "The reviewer answers this suggestion otherwise here. What is here stays.",
      });
  }
  return { added, conflicts, nKnown };
}

function readEventTrial(event: AnswerEvent): TrialIdentity {
  return {
    trialId: event.trial_id,
    jobUuid: event.job_id,
    trialName: event.trial_name,
    jobName: event.job_name,
  };
}

function planNotes(lines: readonly NoteLine[], stored: readonly NoteEvent[], actor: Actor) {
  const added: NoteFields[] = [];
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  const here = Map.groupBy(stored, nameTarget);
  for (const [target, own] of Map.groupBy(lines, ({ fields }) => nameTarget(fields))) {
    refuseMany(own.length, "changes of one name or dismissal");
    const before = here.get(target) ?? [];
    const known = new Set(before.map((event) => nameChange({ ...event, timestamp: event.created_at })));
    const isKnown = ({ fields }: NoteLine) => known.has(nameChange(fields));
    nKnown += own.filter(isKnown).length;
    const coming = own.slice(own.findLastIndex(isKnown) + 1);
    const [first] = coming;
    if (first === undefined) continue;
    const last = before.at(-1);
    const lastName = last === undefined ? null : nameChange({ ...last, timestamp: last.created_at });
    // The file continues from the stored state, or nothing is stored.
    if (lastName !== null && !own.some(({ fields }) => nameChange(fields) === lastName))
      conflicts.push(describeNote("fork", first));
    else if (isOthers(coming, before, actor)) conflicts.push(describeNote("owned", first));
    else added.push(...coming.map(({ fields }) => fields));
  }
  return { added, conflicts, nKnown };
}

function isOthers(coming: readonly NoteLine[], before: readonly NoteEvent[], actor: Actor): boolean {
  if (actor.isAdmin) return false;
  const isForeign = ({ browser_key_hash: key }: NoteEvent) => key !== null && key !== actor.browserKeyHash;
  const names = new Set(before.filter(isForeign).map(({ author }) => computeReviewerKey(author)));
  const last = before.at(-1);
  const [first] = coming;
  const isUndone = first?.fields.kind === "restored" && first.fields.about === null;
  return (
    coming.some(({ fields }) => names.has(computeReviewerKey(fields.author))) ||
    (isUndone && last !== undefined && isForeign(last))
  );
}

function nameTarget({ kind, target }: Pick<NoteFields, "kind" | "target">): string {
  return `${kind === "named" ? "name" : "dismissal"} ${target}`;
}

function nameChange({
  kind,
  text,
  author,
  timestamp,
}: Pick<NoteFields, "kind" | "text" | "author" | "timestamp">): string {
  return JSON.stringify([kind, text, author, timestamp]);
}

const NOTE_CONFLICTS = {
  fork: "was changed in two places, and neither continues the other",
  owned: "belongs to a browser here, and only that one or an admin may change it under this name",
} as const;

function describeNote(kind: keyof typeof NOTE_CONFLICTS, { fields, file, line }: NoteLine): ImportConflict {
  const what = fields.kind === "named" ? "The name of this cluster" : "Whether this finding is dismissed";
  return {
    kind,
    file,
    line,
    trialName: fields.kind === "named" ? fields.about.pattern : fields.target,
    jobName: "",
    reviewerId: fields.author,
    message: `${what} ${NOTE_CONFLICTS[kind]}. What is here stays.`,
  };
}
