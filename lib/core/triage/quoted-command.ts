import { lacksEnd } from "@/lib/core/domain/text-bounder";

/** Harbor writes this before a failed command and its output. */
export const FAILED_COMMAND = /\bCommand failed \(exit -?\d+\):/u;
const PLAIN = /^(?:RuntimeError|NonZeroAgentExitCodeError): /u;
const COMMAND = " Command: ";
/** Harbor cuts each output to some 1,000 characters. */
const MAX_STDERR = 1200;

/**
 * Returns the part of an exception's text that proves a cause: without the quoted command and the stdout of a failed command,
 * which is what the agent said and its tools returned. Harbor gives a failed command the type of the last error whose pattern
 * occurs in that output, so such a type counts as an exit code.
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
 * Returns the stderr of a failed command, with its heading. Command and stdout may have the same heading, so only the last one
 * counts, and none if the end of the text is unknown.
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

/** Removes the command that Docker's client in Harbor quotes: it may contain the whole prompt, which is no proof of a cause. */
export function leaveOutCommand(text: string): string {
  const start = text.indexOf(COMMAND);
  const end = start === -1 ? -1 : text.indexOf(" Return code: ", start);
  return end === -1 ? text : `${text.slice(0, start + COMMAND.length)}${text.slice(end)}`;
}
