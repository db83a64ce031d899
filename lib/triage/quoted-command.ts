import { lacksEnd } from "@/lib/domain/text-bounder";

/** Harbor's words for a command that failed, before the command and what it wrote. */
export const FAILED_COMMAND = /\bCommand failed \(exit -?\d+\):/u;
/** Exceptions that say no more than that a command failed. */
const PLAIN = /^(?:RuntimeError|NonZeroAgentExitCodeError): /u;
/** Comes before a command that Docker's client quotes. */
const COMMAND = " Command: ";
/** Harbor cuts each output to some 1,000 characters. */
const MAX_STDERR = 1200;

/**
 * Returns an exception's text as far as it proves a cause: without the command that it quotes, and without what a failed command
 * wrote to stdout, which is what the agent said and its tools returned. Harbor gives a failed command the type of the last error
 * whose pattern occurs in that output, so such a type counts as an exit code.
 *
 * @see harbor 0.26.0 src/harbor/agents/installed/base.py, `_classify_exec_error`
 */
export function keepProof(text: string): string {
  const failed = FAILED_COMMAND.exec(text);
  if (failed === null) return leaveOutCommand(text);
  const before = text.slice(0, failed.index);
  const typed = /^[\w.]+: $/u.test(before) && !PLAIN.test(before) ? "NonZeroAgentExitCodeError: " : before;
  return `${typed}${failed[0]}${findStderr(text)}`;
}

/**
 * Returns what a failed command wrote to stderr, with its heading. Command and stdout may hold the same heading, so only the last
 * one counts, and none in a text whose end is not known.
 */
export function findStderr(text: string): string {
  const failed = FAILED_COMMAND.exec(text);
  const stdout = failed === null ? -1 : text.indexOf("\nstdout:", failed.index);
  const stderr = stdout === -1 || lacksEnd(text) ? -1 : text.lastIndexOf("\nstderr:");
  return stderr > stdout ? text.slice(stderr) : "";
}

/** Cuts an exception's text so that {@link keepProof} finds the same stderr in it, up to 1,200 characters, or none. */
export function shortenException(text: string, most: number): string {
  if (text.length <= most || !FAILED_COMMAND.test(text)) return text.slice(0, most);
  const stderr = findStderr(text);
  const start = text.search(/\nstd(?:out|err):/u);
  if (stderr === "") return text.slice(0, start === -1 ? most : Math.min(start, most));
  const room = Math.floor((most - Math.min(stderr.length, MAX_STDERR)) / 2);
  const stdout = text.slice(text.indexOf("\nstdout:"), -stderr.length);
  return `${text.slice(0, Math.min(start, room))}${stdout.slice(0, room)}${stderr.slice(0, MAX_STDERR)}`;
}

/**
 * Returns an exception's text without the command that Docker's client in Harbor quotes, in which the whole prompt may stand: words
 * of a task are no words of its failure.
 */
export function leaveOutCommand(text: string): string {
  const start = text.indexOf(COMMAND);
  const end = start === -1 ? -1 : text.indexOf(" Return code: ", start);
  return end === -1 ? text : `${text.slice(0, start + COMMAND.length)}${text.slice(end)}`;
}
