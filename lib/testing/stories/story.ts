/** One thing an agent does: what it says and thinks, the tool it calls, and what it gets back. */
export interface Action {
  readonly tool: "bash" | "read" | "edit" | "write" | "none";
  readonly say: string;
  readonly think?: string;
  readonly target: string;
  readonly before?: string;
  readonly after?: string;
  readonly output: string;
  readonly exitCode: number;
  readonly plot?: readonly (readonly number[])[];
}

/** Why a run fails, in the words reviewers use. */
export type FailureKind =
  | "unverified claim"
  | "weakened tests"
  | "stopped early"
  | "wrong file"
  | "misread task"
  | "environment";

/** A failing test: its name, the source line that raised, and the error text. */
export type FailedTest = readonly [name: string, line: string, error: string];

/** One way a run goes wrong: the actions that take the place of the fix, and what the verifier says. */
export interface Failure {
  readonly kind: FailureKind;
  readonly actions: readonly Action[];
  readonly failed: readonly FailedTest[];
  readonly report: string;
}

/** Everything needed to tell a run of one task. */
export interface Story {
  readonly task: string;
  readonly prompt: string;
  readonly workdir: string;
  /** Agent minutes and thousand tokens of a typical run. */
  readonly minutes: number;
  readonly kiloTokens: number;
  readonly explore: readonly Action[];
  readonly work: readonly Action[];
  readonly fix: readonly Action[];
  readonly tests: readonly string[];
  readonly report: string;
  readonly failures: readonly Failure[];
}

/** A shell command that exits with 0. */
export function sh(target: string, output: string, say = "", think?: string): Action {
  return { tool: "bash", target, output, say, exitCode: 0, ...(think === undefined ? {} : { think }) };
}

/** A shell command that fails with `exitCode`. */
export function bad(exitCode: number, target: string, output: string, say = "", think?: string): Action {
  return { ...sh(target, output, say, think), exitCode };
}

/** A file read with the agent's reading tool. */
export function read(target: string, output: string, say = "", think?: string): Action {
  return { ...sh(target, output, say, think), tool: "read" };
}

/** A replacement of `before` by `after` in a file. */
export function edit(target: string, before: string, after: string, say = "", think?: string): Action {
  return { ...sh(target, `The file ${target} has been edited.`, say, think), tool: "edit", before, after };
}

/** A new file. */
export function write(target: string, after: string, say = "", think?: string): Action {
  return { ...sh(target, `File created: ${target}`, say, think), tool: "write", after };
}

/** A turn without a tool call. */
export function talk(say: string, think?: string): Action {
  return { ...sh("", "", say, think), tool: "none" };
}

/** A command whose result comes back as a plotted picture beside the text; each list is one line from 0 to 1. */
export function plotted(action: Action, ...plot: readonly (readonly number[])[]): Action {
  return { ...action, plot };
}
