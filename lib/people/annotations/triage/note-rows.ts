import { z } from "zod";

import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";

import { createReader, type Folded, type Statement } from "../statements/statement";

export const line = (limit: number) =>
  z
    .string()
    .max(limit, `At most ${limit.toLocaleString("en-US")} characters.`)
    .transform((text) =>
      text.toWellFormed().replaceAll("\0", "").normalize("NFC").replace(/\s+/gu, " ").trim(),
    );

/** Stored with a cluster's name, so that it stays known without open trials. */
export const clusterSchema = z.object({
  kind: line(40),
  scope: line(TRIAGE_LIMITS.about),
  pattern: line(TRIAGE_LIMITS.about),
});

export interface TriageChange {
  readonly seq: number;
  readonly text: string | null;
  /** Set only if another user undid a dismissal. */
  readonly undoReason: string | null;
  readonly author: string;
  readonly createdAt: string;
}

interface ClusterName {
  readonly key: string;
  readonly name: string | null;
  readonly cluster: z.output<typeof clusterSchema>;
  readonly history: readonly TriageChange[];
}

export interface Dismissal {
  readonly key: string;
  readonly title: string;
  readonly reason: string | null;
  readonly history: readonly TriageChange[];
}

interface Notes {
  readonly names: ReadonlyMap<string, ClusterName>;
  readonly dismissals: ReadonlyMap<string, Dismissal>;
  /** Hash of the browser's key by change number, if known. Never sent to pages. */
  readonly browserKeys: ReadonlyMap<number, string>;
}

export type TriageNotes = Folded<Notes>;

const noteSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("named"), text: z.string().nullable(), about: clusterSchema }),
  z.object({ kind: z.literal("dismissed"), text: z.string(), about: z.object({ title: z.string() }) }),
  z.object({
    kind: z.literal("restored"),
    text: z.null(),
    about: z.object({ reason: z.string() }).nullable(),
  }),
]);

export type Note = z.output<typeof noteSchema>;

export const {
  read: readTriageNotes,
  fold: foldNotes,
  select: selectNotes,
} = createReader<Note, Notes>(
  { name: "triage_note", body: noteSchema },
  { names: new Map(), dismissals: new Map(), browserKeys: new Map() },
  addNotes,
);

function addNotes(before: Notes, added: readonly Statement<Note>[]): Notes {
  const names = new Map(before.names);
  const dismissals = new Map(before.dismissals);
  const browserKeys = new Map(before.browserKeys);
  for (const { seq, subject: key, author, actor, at, body } of added) {
    const undoReason = body.kind === "restored" ? (body.about?.reason ?? null) : null;
    const change: TriageChange = { seq, text: body.text, undoReason, author, createdAt: at };
    if (actor !== null) browserKeys.set(seq, actor);
    if (body.kind === "named") {
      const history = [...(names.get(key)?.history ?? []), change];
      names.set(key, { key, name: body.text, cluster: body.about, history });
      continue;
    }
    const current = dismissals.get(key);
    const title = body.kind === "dismissed" ? body.about.title : (current?.title ?? "");
    const history = [...(current?.history ?? []), change];
    dismissals.set(key, { key, title, reason: body.text, history });
  }
  return { names, dismissals, browserKeys };
}
