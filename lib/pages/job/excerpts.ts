import "server-only";
import { type Excerpt, findExcerpt, makePatterns } from "@/lib/core/domain/search-excerpt";
import { type IndexStore, readTexts, type RowPlace } from "@/lib/store/tables";

/** Returns excerpts by place, such as `1 2`. A trial found by its name has none. */
export async function readExcerpts(
  store: IndexStore,
  text: string,
  rows: readonly RowPlace[],
): Promise<ReadonlyMap<string, Excerpt>> {
  const patterns = makePatterns(text);
  if (patterns.length === 0) return new Map();
  const texts = await readTexts(store, rows);
  return new Map(
    [...texts].flatMap(([place, pieces]) => {
      const excerpt = findExcerpt(pieces, patterns);
      return excerpt === null ? [] : [[place, excerpt] as const];
    }),
  );
}
