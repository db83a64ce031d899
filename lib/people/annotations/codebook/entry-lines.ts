/** Returns the line, from 1, of each entry in `categories`. @param text - a JSON object with that list */
export function findEntryLines(text: string): readonly number[] {
  const scan = new EntryScan();
  for (const [token] of text.matchAll(TOKENS)) scan.take(token);
  return scan.lines;
}

const LIST = '"categories"';

/** JSON tokens and newlines. A JSON string contains no raw newline. */
const TOKENS = /\n|"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

class EntryScan {
  readonly lines: number[] = [];
  #line = 1;
  #depth = 0;
  #name = "";
  #isInList = false;
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
    // As in JSON, the last of two lists with the same name counts.
    if (this.#isInList) this.lines.length = 0;
  }
}
