import { hash } from "node:crypto";

import type { ContentPart, Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";

export type Repeats = ReadonlyMap<ContentPart, string>;

export const NO_REPEATS: Repeats = new Map();

/** Reading a shorter text is faster than following a link to it. */
const MIN_CHARS = 600;

export function findRepeats({ steps }: Pick<Trajectory, "steps">): Repeats {
  const first = new Map<string, { readonly text: string; readonly key: string }>();
  const repeats = new Map<ContentPart, string>();
  for (const step of steps)
    for (const part of listParts(step)) {
      if (part.kind !== "text" || part.text.length < MIN_CHARS) continue;
      // Long texts of one length would share their place in a map of texts.
      const name = hash("sha1", part.text);
      const known = first.get(name);
      if (known === undefined) first.set(name, { text: part.text, key: step.key });
      else if (known.key !== step.key && known.text === part.text) repeats.set(part, known.key);
    }
  return repeats;
}

export function listParts({ message, calls, results }: TrajectoryStep): readonly ContentPart[] {
  const answers = [...calls.flatMap((call) => call.results), ...results];
  return [...message, ...answers.flatMap(({ parts }) => parts)];
}
