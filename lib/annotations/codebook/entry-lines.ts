/**
 * Returns the line, from 1, on which each entry of the list `categories` of a codebook's file begins.
 *
 * @param text - JSON: an object with that list
 */
export function findEntryLines(text: string): readonly number[] {
  const scan = new EntryScan();
  for (const [token] of text.matchAll(TOKENS)) scan.take(token);
  return scan.lines;
}

const LIST = '"categories"';

/** What stands in JSON, and ends of lines: a text has none inside. */
const TOKENS = /\n|"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

class EntryScan {
  readonly lines: number[] = [];
  #line = 1;
  /** Lists and objects that are open, and the last name in the outermost. */
  #depth = 0;
  #name = "";
  #isInList = false;
  /** Whether the next value begins an entry. */
  #isDue = false;

  take(token: string): void {
    if (token === "\n") this.#line += 1;
    else if (token === "]" || token === "}") this.#depth -= 1;
    else if (token === ",") this.#isDue = this.#depth === 2;
    else if (token !== ":") this.#takeValue(token);
  }

  #takeValue(token: string): void {
    if (this.#depth === 2 && this.#isInList && this.#isDue) {
      this.lines.push(this.#line);
      this.#isDue = false;
    }
    if (token === "[" || token === "{") this.#open(token);
    else if (this.#depth === 1) this.#name = token;
  }

  #open(token: string): void {
    this.#depth += 1;
    if (this.#depth !== 2) return;
    this.#isInList = token === "[" && this.#name === LIST;
    this.#isDue = true;
    // Of a list that stands twice the last one counts, as JSON has it.
    if (this.#isInList) this.lines.length = 0;
  }
}
