import { type Context, createContext, Script } from "node:vm";

/** What is looked for in texts. */
export interface FindRequest {
  /** A text, or the source of a regular expression; empty finds nothing. */
  readonly text: string;
  readonly isPattern: boolean;
  /** Whether capital and small letters differ. */
  readonly isCased: boolean;
}

/** A match in one of the texts, in UTF-16 units. */
export type Place = readonly [text: number, start: number, end: number];

/** A pattern can take for ever; nobody waits longer than this for a list of matches. */
const TIMEOUT_MS = 2_000;
const TOO_SLOW = "This pattern takes too long over so much text. Make it simpler, or look for plain text.";

/** Runs where it can be stopped: a regular expression cannot be interrupted otherwise. */
const SEARCH = new Script(`(() => {
  const pattern = new RegExp(source, flags);
  const places = [];
  let last = -1;
  for (let text = 0; text < texts.length; text++) {
    pattern.lastIndex = 0;
    // Beyond the limit each owner is still known to match.
    for (let found; (places.length < most || owners[text] !== last) && (found = pattern.exec(texts[text])) !== null;) {
      places.push([text, found.index, pattern.lastIndex]);
      last = owners[text];
      if (found[0] === "") pattern.lastIndex++;
    }
  }
  return JSON.stringify(places);
})()`);

/** Looks for one thing in any number of texts, two seconds at most in all. */
export class StoppableSearch {
  private readonly input: Record<string, unknown>;
  private readonly context: Context;
  private msLeft = TIMEOUT_MS;

  constructor({ text, isPattern, isCased }: FindRequest) {
    const source = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    this.input = { source, flags: isCased ? "gm" : "gim" };
    this.context = createContext(this.input);
  }

  /**
   * Every match in its order; why there is no answer instead, as one sentence.
   * @param owners - what each text is a part of; each owner's first match is given even beyond `most`
   */
  run(texts: readonly string[], owners: readonly number[], most: number): readonly Place[] | string {
    if (this.msLeft < 1) return TOO_SLOW;
    const start = performance.now();
    try {
      Object.assign(this.input, { texts, owners, most });
      const answer: unknown = SEARCH.runInContext(this.context, { timeout: Math.ceil(this.msLeft) });
      return JSON.parse(String(answer)) as readonly Place[]; // What the script above wrote.
    } catch (error) {
      const { code, message } = error as { readonly code?: unknown; readonly message: string }; // Of another context's class.
      return code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
        ? TOO_SLOW
        : `${message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/su, "Not a regular expression: ")}.`;
    } finally {
      this.msLeft -= performance.now() - start;
    }
  }
}
