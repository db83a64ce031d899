import stories from "./data/stories.json" with { type: "json" };

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

/** Everything needed to generate a run of one task. */
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

/** A command whose result is a plotted picture with the text; each list is one line from 0 to 1. */
export function plotted(action: Action, ...plot: readonly (readonly number[])[]): Action {
  return { ...action, plot };
}

/** An action in a data file, without the defaults of its tool. */
type StatedAction = Pick<Action, "tool"> & Partial<Omit<Action, "tool">>;

/** A story in its data file. */
interface StatedStory extends Omit<Story, "explore" | "work" | "fix" | "failures"> {
  readonly explore: readonly StatedAction[];
  readonly work: readonly StatedAction[];
  readonly fix: readonly StatedAction[];
  readonly failures: readonly (Omit<Failure, "actions"> & { readonly actions: readonly StatedAction[] })[];
}

function fill({ tool, target = "", say = "", ...action }: StatedAction): Action {
  const answers = { edit: `The file ${target} has been edited.`, write: `File created: ${target}` };
  const output = tool === "edit" || tool === "write" ? answers[tool] : "";
  return { tool, target, say, output, exitCode: 0, ...action };
}

/** The stories of the 24 terminal-mix tasks, by name, as the dataset lists them. */
export const STORIES: readonly Story[] = (stories as unknown as readonly StatedStory[]).map((story) => ({
  ...story,
  explore: story.explore.map(fill),
  work: story.work.map(fill),
  fix: story.fix.map(fill),
  failures: story.failures.map((failure) => ({ ...failure, actions: failure.actions.map(fill) })),
}));
