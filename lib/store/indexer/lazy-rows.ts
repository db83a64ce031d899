/** Calls `make` for each iteration, so that the rows of a large job are never in memory together. */
export function makeLazily<Row>(make: () => Generator<Row>): Iterable<Row> {
  return { [Symbol.iterator]: make };
}
