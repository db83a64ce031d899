/** How Harbor, and Docker's client in it, write of a command that failed: what was run stands between these. */
const QUOTES = [
  { before: /\bCommand failed \(exit -?\d+\):/u, after: "\nstdout:" },
  { before: / Command: /u, after: " Return code: " },
] as const;

/**
 * An exception's text without the command that it quotes, in which the whole prompt may stand: words of a task are no words of its
 * failure. Without a known end of the quote, all that follows is taken for a part of it.
 *
 * @param text - "Type: message", as in a signal of kind `exception`
 */
export function leaveOutCommand(text: string): string {
  for (const { before, after } of QUOTES) {
    const start = before.exec(text);
    if (start === null) continue;
    const from = start.index + start[0].length;
    const end = text.indexOf(after, from);
    return `${text.slice(0, from)}${end === -1 ? "" : text.slice(end)}`;
  }
  return text;
}
