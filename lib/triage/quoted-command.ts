/** How Harbor, and Docker's client in it, write of a command that failed: what was run stands between these. */
const QUOTES = [
  { before: /\bCommand failed \(exit -?\d+\):/u, after: "\nstdout:", isToEnd: true },
  { before: / Command: /u, after: " Return code: ", isToEnd: false },
] as const;

const FAILED_COMMAND = /^[\w.]+: (?=Command failed \(exit -?\d+\):)/u;
/** Exceptions that say no more than that a command failed. */
const PLAIN = /^(?:RuntimeError|NonZeroAgentExitCodeError): /u;

/**
 * Returns an exception's text as far as it proves a cause: without the command that it quotes, and without what a failed command
 * wrote to stdout, which is what the agent said and its tools returned. Harbor gives a failed command the type of the last error
 * whose pattern occurs in that output, so such a type counts as an exit code.
 *
 * @see harbor 0.26.0 src/harbor/agents/installed/base.py, `_classify_exec_error`
 */
export function keepProof(text: string): string {
  const rest = leaveOutCommand(text);
  if (!FAILED_COMMAND.test(rest)) return rest;
  const typed = PLAIN.test(rest) ? rest : rest.replace(FAILED_COMMAND, "NonZeroAgentExitCodeError: ");
  const [start, end] = [typed.indexOf("\nstdout:"), typed.lastIndexOf("\nstderr:")];
  return start === -1 ? typed : `${typed.slice(0, start)}${end > start ? typed.slice(end) : ""}`;
}

/**
 * An exception's text without the command that it quotes, in which the whole prompt may stand: words of a task are no words of its
 * failure. Without its end, a command that failed is all that follows; any other text stays as it is.
 *
 * @param text - "Type: message", as in a signal of kind `exception`
 */
export function leaveOutCommand(text: string): string {
  for (const { before, after, isToEnd } of QUOTES) {
    const start = before.exec(text);
    if (start === null) continue;
    const from = start.index + start[0].length;
    const end = text.indexOf(after, from);
    if (end !== -1 || isToEnd) return `${text.slice(0, from)}${end === -1 ? "" : text.slice(end)}`;
  }
  return text;
}
