/**
 * Formats positions with ascending runs shortened, such as `0-9,12`. Keeps the given order, which is that of the figure's trials.
 */
export function formatPositions(positions: readonly number[]): string {
  const parts: string[] = [];
  for (let index = 0; index < positions.length; index++) {
    const first = positions[index] ?? 0;
    let last = first;
    while (positions[index + 1] === last + 1) {
      last++;
      index++;
    }
    parts.push(first === last ? String(first) : `${first}-${last}`);
  }
  return parts.join(",");
}

export function parsePositions(text: string): number[] {
  if (text === "") return [];
  return text.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
