import { type Context, createContext, Script } from "node:vm";

/** The first match as UTF-16 offsets, if any. */
export type Match = readonly [start: number, end: number] | null;

/** User patterns on agent text may be slow, and only a separate script can be interrupted. */
const MATCH = new Script(`(() => {
  const pattern = patterns[source] ??= new RegExp(body, flags);
  return JSON.stringify(texts.map((text) => {
    const found = pattern.exec(text);
    return found && [found.index, found.index + found[0].length];
  }));
})()`);

const COMPILE = new Script(`new RegExp(source, "m")`);
const COMPILED = createContext({ source: "" });

/** Explains an invalid pattern as the end of a sentence; null if valid. */
export function findPatternProblem(source: string): string | null {
  try {
    COMPILED["source"] = source;
    COMPILE.runInContext(COMPILED);
    return null;
  } catch (error) {
    const { message } = error as { readonly message: string }; // Not an Error of this context.
    return message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/su, "");
  }
}

/** Converts a leading `(?i:…)` to a flag, which more engines support. */
function splitFlags(source: string): { readonly body: string; readonly flags: string } {
  const [, body] = /^\(\?i:(.*)\)$/su.exec(source) ?? [];
  // If the last bracket closes another group, the rest is not a valid pattern.
  if (body !== undefined && findPatternProblem(body) === null) return { body, flags: "im" };
  return { body: source, flags: "m" };
}

/** Milliseconds for a batch, which usually takes a few. */
const TOGETHER_MS = 200;

/** Calls a function from its context. */
const WORK = new Script("work()");

/** Matches untrusted patterns against untrusted texts within a time limit. */
export class TimedMatcher {
  private readonly input: Record<string, unknown> = { patterns: Object.create(null) as unknown };
  private readonly context: Context = createContext(this.input);
  private readonly split = new Map<string, ReturnType<typeof splitFlags>>();
  private isTogether = false;

  /**
   * Returns the first match in each text, where `^` and `$` match at line ends.
   * @param ms - above 0; ignored within {@link together}
   * @returns null on timeout
   */
  match(source: string, texts: readonly string[], ms: number): readonly Match[] | null {
    if (ms <= 0) return null;
    const parts = this.split.get(source) ?? splitFlags(source);
    this.split.set(source, parts);
    Object.assign(this.input, { source, texts, ...parts });
    const answer = this.isTogether ? (MATCH.runInContext(this.context) as unknown) : this.runTimed(MATCH, ms);
    this.input["texts"] = [];
    return JSON.parse(String(answer)) as readonly Match[] | null; // Written by the script above.
  }

  /**
   * Runs many matches within one time limit, because supervising a match needs a thread, which costs more than most matches.
   * @param work - may be stopped anywhere and then has no effect
   * @returns null on timeout, which does not say which match is slow
   */
  together<Result extends object>(work: () => Result): Result | null {
    this.isTogether = true;
    this.input["work"] = work;
    try {
      return this.runTimed(WORK, TOGETHER_MS) as Result | null; // The result of `work`.
    } finally {
      this.isTogether = false;
      this.input["work"] = null;
    }
  }

  /** Returns null on timeout. */
  private runTimed(script: Script, ms: number): unknown {
    try {
      return script.runInContext(this.context, { timeout: Math.ceil(ms) });
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
      throw error;
    }
  }
}
