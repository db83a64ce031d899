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

/** Says why a text is no regular expression, as the end of a sentence; null when it is one. */
export function findPatternProblem(source: string): string | null {
  try {
    COMPILE.runInNewContext({ source });
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

/** Matches regular expressions that anybody may have written against texts that anybody may have written, within a time. */
export class TimedMatcher {
  private readonly input: Record<string, unknown> = { patterns: Object.create(null) as unknown };
  private readonly context: Context = createContext(this.input);
  private readonly split = new Map<string, ReturnType<typeof splitFlags>>();

  /**
   * The first match of an expression in each text, where `^` and `$` are the ends of lines.
   * @param ms - above 0
   * @returns null when that takes longer
   */
  match(source: string, texts: readonly string[], ms: number): readonly Match[] | null {
    if (ms <= 0) return null;
    try {
      const parts = this.split.get(source) ?? splitFlags(source);
      this.split.set(source, parts);
      Object.assign(this.input, { source, texts, ...parts });
      const answer: unknown = MATCH.runInContext(this.context, { timeout: Math.ceil(ms) });
      return JSON.parse(String(answer)) as readonly Match[]; // What the script above wrote.
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
      throw error;
    } finally {
      this.input["texts"] = [];
    }
  }
}
