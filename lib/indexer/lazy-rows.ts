/**
 * What `make` gives, made anew whenever it is asked for and one after the other: the rows of a large job are never held together.
 */
export function makeLazily<Row>(make: () => Generator<Row>): Iterable<Row> {
  return { [Symbol.iterator]: make };
}
