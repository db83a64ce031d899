const MAX_SIMILAR = 5;

export function rankSimilarNames<T extends { readonly key: string; readonly name: string }>(
  wanted: string,
  jobs: readonly T[],
): readonly T[] {
  const target = wanted.toLowerCase();
  const ranked = jobs.map((job) => {
    const distance = Math.min(
      measure(target, job.name.toLowerCase()),
      measure(target, job.key.toLowerCase()),
    );
    return { job, distance };
  });
  const limit = Math.max(2, target.length / 2);
  return ranked
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_SIMILAR)
    .map(({ job }) => job);
}

/** Returns the edit distance. A text that contains the other is one edit away. */
function measure(a: string, b: string): number {
  if (a === b) return 0;
  if (a !== "" && (b.includes(a) || a.includes(b))) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
