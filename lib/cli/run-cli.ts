import { AppError } from "@/lib/core/domain/app-error";
import { LaunchError } from "@/lib/core/domain/launch-error";

import { accounts } from "./accounts";
import { annotations } from "./annotations";
import { backup, restore } from "./backup";
import { index } from "./build-index";
import { check } from "./check";
import { codebook } from "./codebook";
import { type Command, UsageError } from "./command";
import { compare } from "./compare";
import { defineCompletions } from "./completions";
import { doctor } from "./doctor";
import { evaluations } from "./evaluations";
import { leaderboard } from "./leaderboard";
import { openBuckets } from "./open-buckets";
import { report } from "./report";
import { scan } from "./scan";
import { score } from "./score";
import { type Terminal, readVersion, warn } from "./terminal";
import { trials } from "./trials";
import { verify } from "./verify";
import { view } from "./view";
import { watch } from "./watch";

const WORKING = {
  ...{ view, score, verify, check, trials, scan, compare, leaderboard, report, evaluations, watch, index },
  ...{ accounts, annotations, codebook, backup, restore, doctor },
};

export const COMMANDS = new Map<string, Command>(
  Object.entries({ ...WORKING, completions: defineCompletions(WORKING) }),
);

const LIST_COLUMN = 30;

function formatCommandList(): string {
  const lines = [...COMMANDS.values()]
    .flatMap(({ listed }) => Object.entries(listed))
    .map(([syntax, does]) => `  ${`assay ${syntax}`.padEnd(LIST_COLUMN)}${does}`);
  return `Usage: assay COMMAND [OPTIONS]

Recomputes, explains and reviews the results of agent benchmark runs. Job folders are never written to. DIR or JOB can be
s3://BUCKET/PREFIX, fetched with the usual AWS_ variables. At most $ASSAY_BUCKET_CACHE_GB gigabytes are kept (default 20).

${lines.join("\n")}

  assay COMMAND --help          Options of a command
  assay --version               Version

Exit codes: 0 success, 1 a figure does not match or a condition holds, 2 the command could not run.
`;
}

/**
 * Runs one command line.
 *
 * @param args - without the program's name
 * @returns the exit code: 0, 1 when a figure does not match, 2 after one line on stderr that says what is wrong
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help")
    return printHelp(COMMANDS.get(rest[0] ?? ""), terminal);
  if (name === "--version" || name === "-v") {
    terminal.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const command = COMMANDS.get(name);
  if (command === undefined)
    return fail(terminal, `Unknown command "${name}". Commands: ${[...COMMANDS.keys()].join(", ")}.`);
  if (rest.includes("--help") || rest.includes("-h")) return printHelp(command, terminal);
  try {
    const opened = await openBuckets(command.buckets, rest, terminal);
    try {
      return await command.run(opened.args, terminal);
    } finally {
      await opened.close();
    }
  } catch (error) {
    return reportFailure(error, name, terminal);
  }
}

function printHelp(command: Command | undefined, terminal: Terminal): number {
  const examples = command?.examples.map((example) => `  ${example}\n`).join("") ?? "";
  terminal.stdout.write(
    command === undefined ? formatCommandList() : `${command.help}\nExamples:\n${examples}`,
  );
  return 0;
}

function reportFailure(error: unknown, command: string, terminal: Terminal): number {
  if (error instanceof UsageError) return fail(terminal, `${error.message} See: assay ${command} --help`);
  if (error instanceof AppError || error instanceof LaunchError) return fail(terminal, error.message);
  // Any other error is a fault of Assay or the machine; the stack is only printed on request.
  if (terminal.env["ASSAY_DEBUG"] === "1" && error instanceof Error)
    terminal.stderr.write(`${error.stack ?? ""}\n`);
  return fail(terminal, error instanceof Error ? error.message : String(error));
}

function fail(terminal: Terminal, message: string): number {
  warn(terminal, message);
  return 2;
}
