import { parseArgs } from "node:util";

import type { Summation } from "@/lib/core/scoring";

import type { Terminal } from "./terminal";

export { flag, option } from "@/lib/server/view-options";

/** As `parseArgs` takes it. Lines of `help` are broken by hand. */
interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** Placeholder of the value in the help. */
  readonly value?: string;
  /** Values that completions offer. */
  readonly choices?: readonly string[];
  readonly help: string;
}

type Options = Readonly<Record<string, OptionSpec>>;

/** Opens a bucket's URL as a folder with all of its files by default. `unopened` leaves it to the command. */
type BucketUse = "unopened" | "results" | "watched";

export interface Command {
  /** Lines of `assay --help`, by the words after `assay`. */
  readonly listed: Readonly<Record<string, string>>;
  readonly help: string;
  readonly options: Options;
  /** Values of its first operand, for completions. */
  readonly words?: readonly string[];
  /** `jobs` is a folder of jobs, `jobs/before` and `jobs/after` are two of them. */
  readonly examples: readonly string[];
  readonly buckets?: BucketUse;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

interface Definition<T extends Options> extends Omit<Command, "help" | "run"> {
  readonly usage: readonly string[];
  readonly about: string;
  readonly options: T;
  /** Text after the options in its help. */
  readonly notes?: string;
  readonly run: (line: ReturnType<typeof parseCommandLine<T>>, terminal: Terminal) => Promise<number>;
}

export function defineCommand<const T extends Options>(definition: Definition<T>): Command {
  const { usage, about, notes, run, ...command } = definition;
  const options = formatOptions(command.options);
  return {
    ...command,
    help: formatHelp(usage, [
      about,
      ...(options === "" ? [] : [options]),
      ...(notes === undefined ? [] : [notes]),
    ]),
    run: (args, terminal) => run(parseCommandLine(args, command.options), terminal),
  };
}

export function formatHelp(usage: readonly string[], paragraphs: readonly string[]): string {
  return [`Usage: ${usage.join("\n       ")}`, ...paragraphs].join("\n\n") + "\n";
}

const HELP_COLUMN = 21;

export function formatOptions(options: Options): string {
  return Object.entries(options)
    .map(([name, { short, value, help }]) => {
      const names = `${short === undefined ? "" : `-${short}, `}--${name}`;
      const head = `  ${names}${value === undefined ? "" : ` ${value}`}`;
      return head.padEnd(HELP_COLUMN) + help.replaceAll("\n", `\n${" ".repeat(HELP_COLUMN)}`);
    })
    .join("\n");
}

/** An invalid command line. Printed as one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function parseCommandLine<T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [sentence = error.message] = error.message.split(". ");
    throw new UsageError(`${sentence.replace(/\.$/, "")}.`, { cause: error });
  }
}

export function parseOnlyOperand(operands: readonly string[], name: string): string {
  const [operand, second] = operands;
  if (operand === undefined) throw new UsageError(`Pass a ${name}.`);
  if (second !== undefined) throw new UsageError(`Pass one ${name} only, not also ${second}.`);
  return operand;
}

export function parseChoice<T extends string>(name: string, choices: readonly T[], what: string): T {
  const chosen = choices.find((one) => one === name);
  if (chosen !== undefined) return chosen;
  const others = choices.slice(0, -1).join(", ");
  throw new UsageError(`Unknown ${what} "${name}". Use ${others} or ${choices.at(-1) ?? ""}.`);
}

export function parseNumber(
  text: string | undefined,
  option: string,
  [low, high]: readonly [number, number],
  usual: number,
  kind = "number",
): number {
  if (text === undefined) return usual;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new UsageError(`${option} takes a ${kind} from ${low} to ${high}, not "${text}".`);
}

/** Parses `--summation`, else ASSAY_SUMMATION, else Python 3.12's. @throws UsageError for any other name */
export function parseSummation(option: string | undefined, env: Terminal["env"]): Summation {
  const name = option ?? (env["ASSAY_SUMMATION"] || undefined) ?? "cpython-3.12";
  if (name === "cpython-3.12" || name === "sequential") return name;
  throw new UsageError(`Unknown summation "${name}". Use cpython-3.12 or sequential.`);
}
