/** How Harbor, and Docker's client in it, write of a command that failed: what was run stands between these. */
const QUOTES = [
  { before: /\bCommand failed \(exit -?\d+\):/u, after: "\nstdout:", isToEnd: true },
  { before: / Command: /u, after: " Return code: ", isToEnd: false },
] as const;

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
