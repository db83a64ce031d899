import { computeReviewerKey, isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import type { ImportedTag } from "@/lib/core/domain/imported-tag";

import { type Actor, mayChange } from "../owner";
import type { NewStatement, Statement } from "../statements/statement";
import { type Answer, isSameQuestion, nameQuestion, readQuestion } from "../triage/answers";
import type { Note } from "../triage/notes";
import type { Gathered, Line, LineError, LinePlace } from "./gather";
import type { ImportConflict } from "./plan-import";
import { findLineTrial, type NewNote } from "./triage-line";

export interface TriageContent {
  readonly tags: readonly ImportedTag[];
  readonly answers: readonly Statement<Answer>[];
  readonly notes: readonly Statement<Note>[];
}

export type TriagePlan = ReturnType<typeof planTriage>;

interface PlacedTag extends LinePlace {
  readonly tag: ImportedTag;
}

export function placeTags(lines: readonly Line<"tag">[], open: readonly TrialIdentity[] | null) {
  const byName = open === null ? null : groupByNames(open);
  const tags: PlacedTag[] = [];
  const lost: LineError[] = [];
  for (const line of lines) {
    const { category, source, description = null, evidence } = line.fields;
    const trial = findLineTrial(line.fields, byName === null ? null : (byName.get(line.fields.trial) ?? []));
    if (typeof trial === "string") lost.push({ file: line.file, line: line.line, message: trial });
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
) {
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
      ...answers.map(({ fields }) => fields.body.trial),
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

function planAnswers(lines: readonly Line<"answer">[], stored: readonly Statement<Answer>[]) {
  const byQuestion = Map.groupBy(stored, (one) => nameQuestion(readQuestion(one)));
  const added: NewStatement<Answer>[] = [];
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  for (const { fields, ...place } of lines) {
    const { body, at, author: reviewerId } = fields;
    const question = readQuestion(fields);
    const own = (byQuestion.get(nameQuestion(question)) ?? []).filter((one) =>
      isSameQuestion(readQuestion(one), question),
    );
    const last = own.at(-1)?.body.answer;
    // Do not restore an answer that was changed or undone here since.
    const wasHere = own.some((one) => one.body.answer === body.answer && one.at === at);
    if (wasHere || last === body.answer) nKnown += 1;
    else if (last === undefined || last === "withdrawn") added.push(fields);
    else
      conflicts.push({
        ...place,
        kind: "fork",
        trialName: body.trial.trialName,
        jobName: body.trial.jobName,
        reviewerId,
        message: "The reviewer answered this suggestion differently here. The answer here is kept.",
      });
  }
  return { added, conflicts, nKnown };
}

function planNotes(lines: readonly Line<"note">[], stored: readonly Statement<Note>[], actor: Actor) {
  const added = new Set<Line<"note">>();
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  const here = Map.groupBy(stored, nameTarget);
  for (const [target, own] of Map.groupBy(lines, ({ fields }) => nameTarget(fields))) {
    refuseMany(own.length, "changes of one name or dismissal");
    const before = here.get(target) ?? [];
    const known = new Set(before.map(nameChange));
    const isKnown = ({ fields }: Line<"note">) => known.has(nameChange(fields));
    nKnown += own.filter(isKnown).length;
    const coming = own.slice(own.findLastIndex(isKnown) + 1);
    const [first] = coming;
    if (first === undefined) continue;
    const last = before.at(-1);
    const lastName = last === undefined ? null : nameChange(last);
    // The file continues from the stored state, or nothing is stored.
    if (lastName !== null && !own.some(({ fields }) => nameChange(fields) === lastName))
      conflicts.push(describeNote("fork", first));
    else if (isOthers(coming, before, actor)) conflicts.push(describeNote("owned", first));
    else for (const line of coming) added.add(line);
  }
  return { added: lines.flatMap((line) => (added.has(line) ? line.fields : [])), conflicts, nKnown };
}

function isOthers(
  coming: readonly Line<"note">[],
  before: readonly Statement<Note>[],
  actor: Actor,
): boolean {
  const isForeign = (one: Statement<Note>) => !mayChange({ browserKeyHash: one.actor }, actor);
  const names = new Set(before.filter(isForeign).map(({ author }) => computeReviewerKey(author)));
  const last = before.at(-1);
  const first = coming[0]?.fields.body;
  const isUndone = first?.kind === "restored" && first.about === null;
  return (
    coming.some(({ fields }) => names.has(computeReviewerKey(fields.author))) ||
    (isUndone && last !== undefined && isForeign(last))
  );
}

function nameTarget({ body, subject }: NewNote): string {
  return `${body.kind === "named" ? "name" : "dismissal"} ${subject}`;
}

function nameChange({ body, author, at }: NewNote): string {
  return JSON.stringify([body.kind, body.text, author, at]);
}

const NOTE_CONFLICTS = {
  fork: "was changed in two places, and neither continues the other",
  owned: "belongs to a browser here, and only that one or an admin may change it under this name",
} as const;

function describeNote(
  kind: keyof typeof NOTE_CONFLICTS,
  { fields, file, line }: Line<"note">,
): ImportConflict {
  const { body, subject, author } = fields;
  const what = body.kind === "named" ? "The name of this cluster" : "The dismissal of this finding";
  return {
    kind,
    file,
    line,
    trialName: body.kind === "named" ? body.about.pattern : subject,
    jobName: "",
    reviewerId: author,
    message: `${what} ${NOTE_CONFLICTS[kind]}. The version here is kept.`,
  };
}
