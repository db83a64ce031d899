import { AppError } from "@/lib/core/domain/app-error";
import { LaunchError } from "@/lib/core/domain/launch-error";

import { runAccounts } from "./accounts";
import { runAnnotations } from "./annotations";
import { runBackup, runRestore } from "./backup";
import { runIndex } from "./build-index";
import { runCheck } from "./check";
import { runCodebook } from "./codebook";
import { UsageError } from "./command-line";
import { runCompare } from "./compare";
import { runCompletions } from "./completions";
import { runDoctor } from "./doctor";
import { runEvaluations } from "./evaluations";
import { EXAMPLES } from "./examples";
import { COMMAND_HELP, type CommandName, HELP } from "./help";
import { runLeaderboard } from "./leaderboard";
import { openBuckets } from "./open-buckets";
import { runReport } from "./report";
import { runScan } from "./scan";
import { runScore } from "./score";
import { makePrintable, type Terminal } from "./terminal";
import { runTrials } from "./trials";
import { runVerify } from "./verify";
import { readVersion } from "./version";
import { runView } from "./view";
import { runWatch } from "./watch";

const COMMANDS: Readonly<
  Record<CommandName, (args: readonly string[], terminal: Terminal) => Promise<number>>
> = {
  view: runView,
  score: runScore,
  verify: runVerify,
  check: runCheck,
  trials: runTrials,
  scan: runScan,
  compare: runCompare,
  leaderboard: runLeaderboard,
  report: runReport,
  evaluations: runEvaluations,
  watch: runWatch,
  index: runIndex,
  accounts: runAccounts,
  annotations: runAnnotations,
  codebook: runCodebook,
  backup: runBackup,
  restore: runRestore,
  doctor: runDoctor,
  completions: runCompletions,
};

const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/**
 * Runs one command line.
 *
 * @param args - without the program's name
 * @returns the exit code: 0, 1 when a figure does not match, 2 after one line on stderr that says what is wrong
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = args;
  if (first === undefined || first === "--help" || first === "-h" || first === "help")
    return printHelp(rest, terminal);
  if (first === "--version" || first === "-v") {
    terminal.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const command = COMMAND_NAMES.find((name) => name === first);
  if (command === undefined)
    return fail(terminal, `Unknown command "${first}". Commands: ${COMMAND_NAMES.join(", ")}.`);
  if (rest.includes("--help") || rest.includes("-h")) return printHelp([command], terminal);
  try {
    const buckets = await openBuckets(command, rest, terminal);
    try {
      return await COMMANDS[command](buckets.args, terminal);
    } finally {
      await buckets.close();
    }
  } catch (error) {
    return reportFailure(error, command, terminal);
  }
}

function printHelp([topic]: readonly string[], terminal: Terminal): number {
  const command = COMMAND_NAMES.find((name) => name === topic);
  terminal.stdout.write(command === undefined ? HELP : `${COMMAND_HELP[command]}\n${listExamples(command)}`);
  return 0;
}

function listExamples(command: CommandName): string {
  return `Examples:\n${EXAMPLES[command].map((example) => `  ${example}\n`).join("")}`;
}

function reportFailure(error: unknown, command: CommandName, terminal: Terminal): number {
  if (error instanceof UsageError) return fail(terminal, `${error.message} See: assay ${command} --help`);
  if (error instanceof AppError || error instanceof LaunchError) return fail(terminal, error.message);
  // Any other error is a fault of Assay or the machine; the stack is only printed on request.
  if (terminal.env["ASSAY_DEBUG"] === "1" && error instanceof Error)
    terminal.stderr.write(`${error.stack ?? ""}\n`);
  return fail(terminal, error instanceof Error ? error.message : String(error));
}

function fail(terminal: Terminal, message: string): number {
  terminal.stderr.write(`assay: ${makePrintable(message)}\n`);
  return 2;
}
