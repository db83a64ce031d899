import { listNames } from "@/lib/core/format/list-names";

import type { PairWords } from "./words";

const KINDS: readonly (readonly [PairWords["verdict"], string])[] = [
  ["better", "better"],
  ["worse", "worse"],
  ["no clear difference", "without a clear difference"],
  ["no interval", "without an interval"],
  ["not compared", "not compared"],
];

export function describeRest(
  pairs: readonly { readonly name: string; readonly words: Pick<PairWords, "verdict"> }[],
  baseline: string,
): string | null {
  if (pairs.length === 0) return null;
  const parts = KINDS.flatMap(([verdict, words]) => {
    const names = pairs.filter((pair) => pair.words.verdict === verdict).map(({ name }) => name);
    return names.length === 0 ? [] : [`${String(names.length)} ${words} (${listNames(names)})`];
  });
  return `The other ${String(pairs.length)} against ${baseline}: ${parts.join("; ")}.`;
}
