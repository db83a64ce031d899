import { createContext, Script } from "node:vm";

/** Only a script can be stopped while a regular expression backtracks. */
const SCRIPT = new Script("work()");
const CONTEXT = createContext({});
let isTimed = false;

/** Ms for a user's pattern over the texts of one trial or one search. All bundled ones took at most 150 on 5,142 trials. */
export const PATTERN_MS = 2_000;

/**
 * Runs work with users' regular expressions. A nested call uses the limit of the outer one, because a limit takes a thread, 0.4
 * ms.
 * @param work - may be stopped anywhere, so it must not leave anything half changed
 * @returns null on timeout, also if no time is left or backtracking fills V8's stack
 */
export function runInTime<Result extends object>(work: () => Result, ms: number): Result | null {
  if (ms <= 0) return null;
  if (isTimed) return work();
  isTimed = true;
  CONTEXT["work"] = work;
  try {
    return SCRIPT.runInContext(CONTEXT, { timeout: Math.ceil(ms) }) as Result;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (error instanceof RangeError || code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  } finally {
    isTimed = false;
    CONTEXT["work"] = null;
  }
}

export function findPatternProblem(source: string, flags: string): string | null {
  try {
    new RegExp(source, flags);
    return null;
  } catch (error) {
    return String(error).replace(/^SyntaxError: Invalid regular expression: (?:\/.*\/[a-z]*: )?/su, "");
  }
}

/**
 * Compiles a pattern, and turns `(?i:…)` around all of it into a flag. Once a process has compiled many patterns, V8 of Node 24
 * takes alternatives in such a group as they are written.
 * @throws SyntaxError
 */
export function compilePattern(source: string, flags: string): RegExp {
  const [, body] = /^\(\?i:(.*)\)$/su.exec(source) ?? [];
  // If the last bracket closes another group, the rest is not a valid pattern.
  if (body !== undefined && findPatternProblem(body, flags) === null)
    return new RegExp(body, flags.includes("i") ? flags : `${flags}i`);
  return new RegExp(source, flags);
}
