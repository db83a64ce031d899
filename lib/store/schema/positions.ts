/**
 * Positions as text, ascending runs shortened: `0-9,12`. In the order given, since what is behind a figure has one.
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

/** The positions that {@link formatPositions} made a text of. */
export function parsePositions(text: string): number[] {
  if (text === "") return [];
  return text.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

const MINUS = 45;
const ZERO = 48;
const NINE = 57;

/** How many positions a text holds, digit by digit: a job's page counts some thousand of them. */
export function countPositions(text: string): number {
  if (text === "") return 0;
  let count = 0;
  let first: number | null = null;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) {
      value = value * 10 + (code - ZERO);
      continue;
    }
    if (code === MINUS) {
      first = value;
    } else {
      count += first === null ? 1 : value - first + 1;
      first = null;
    }
    value = 0;
  }
  return count + (first === null ? 1 : value - first + 1);
}
