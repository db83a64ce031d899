/**
 * A value on its way from the server to a component of the browser as one text. What such a component is given is
 * otherwise sent property by property, which for the rows of a table costs more than drawing them.
 *
 * An object of its own, so that what is sent again is not what was sent before, even where it says the same.
 */
export interface Packed<T> {
  readonly json: string;
  /** Never there: the type of what `json` says. */
  readonly of?: T;
}

/** Packs a value of texts, numbers, lists and plain objects. */
export function pack<T>(value: T): Packed<T> {
  return { json: JSON.stringify(value) };
}

/** What was packed. */
export function unpack<T>({ json }: Packed<T>): T {
  return JSON.parse(json) as T; // `pack` made the text of a T.
}
