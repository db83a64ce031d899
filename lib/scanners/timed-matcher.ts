import { type Context, createContext, Script } from "node:vm";

/** The first match in a text, in UTF-16 units; null for none. */
export type Match = readonly [start: number, end: number] | null;

/** Expressions are of users and texts of agents: either may be slow, and only a script of its own can be interrupted. */
const MATCH = new Script(`(() => {
  const pattern = patterns[source] ??= new RegExp(body, flags);
  return JSON.stringify(texts.map((text) => {
    const found = pattern.exec(text);
    return found && [found.index, found.index + found[0].length];
  }));
})()`);

const COMPILE = new Script(`new RegExp(source, "m")`);
const COMPILED = createContext({ source: "" });

/** Says why a text is no regular expression, as the end of a sentence; null when it is one. */
export function findPatternProblem(source: string): string | null {
  try {
    COMPILED["source"] = source;
    COMPILE.runInContext(COMPILED);
    return null;
  } catch (error) {
    const { message } = error as { readonly message: string }; // Of another context's class.
    return message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/su, "");
  }
}

/** An expression that ignores case as a whole as one with that flag, which engines know longer than flags of a part. */
function splitFlags(source: string): { readonly body: string; readonly flags: string } {
  const [, body] = /^\(\?i:(.*)\)$/su.exec(source) ?? [];
  // Where the last bracket closes another one, what is left is no expression.
  if (body !== undefined && findPatternProblem(body) === null) return { body, flags: "im" };
  return { body: source, flags: "m" };
}

/** Milliseconds for what is done together, which takes a few where nothing is slow. */
const TOGETHER_MS = 200;

/** Runs what is put beside it. */
const WORK = new Script("work()");

/** Matches regular expressions that anybody may have written against texts that anybody may have written, within a time. */
export class TimedMatcher {
  private readonly input: Record<string, unknown> = { patterns: Object.create(null) as unknown };
  private readonly context: Context = createContext(this.input);
  private readonly split = new Map<string, ReturnType<typeof splitFlags>>();
  private isTogether = false;

  /**
   * The first match of an expression in each text, where `^` and `$` are the ends of lines.
   * @param ms - above 0; without a meaning within {@link together}
   * @returns null when that takes longer
   */
  match(source: string, texts: readonly string[], ms: number): readonly Match[] | null {
    if (ms <= 0) return null;
    const parts = this.split.get(source) ?? splitFlags(source);
    this.split.set(source, parts);
    Object.assign(this.input, { source, texts, ...parts });
    const answer = this.isTogether ? (MATCH.runInContext(this.context) as unknown) : this.runTimed(MATCH, ms);
    this.input["texts"] = [];
    return JSON.parse(String(answer)) as readonly Match[] | null; // What the script above wrote.
  }

  /**
   * Does much matching within one time: to watch over a match takes a thread, which is dearer than most matches.
   * @param work - which may be stopped anywhere, and is then as if it had not been
   * @returns null when that takes longer, which says that something is slow, but not what
   */
  together<Result extends object>(work: () => Result): Result | null {
    this.isTogether = true;
    this.input["work"] = work;
    try {
      return this.runTimed(WORK, TOGETHER_MS) as Result | null; // What `work` gives.
    } finally {
      this.isTogether = false;
      this.input["work"] = null;
    }
  }

  /** What a script gives; null when that takes longer. */
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
