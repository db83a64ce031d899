import { FAILED_COMMAND } from "@/lib/core/triage/quoted-command";

const START = "Traceback (most recent call last):\n";
/** Matches before a line that is neither a frame nor a source line, which Python indents by two and by four. */
const END = /\n(?! {2}(?:File "|\[)| {4}|\n {4})/u;
const NEXT =
  /\n\n(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):\n\n(?=Traceback)/u;

export interface Traceback {
  readonly frames: string;
  readonly raised: string;
}

/**
 * Parses `traceback.format_exc()`; null for texts without a traceback start. Only lines before the message count as frames,
 * because a message may quote tool output that looks like one. A failed command has none.
 * @param message - null if only the text is known. Only the first traceback is certain if the text does not end with a multi-line
 *   message.
 */
export function readTraceback(text: string, message: string | null): Traceback | null {
  const [whole, said] = [text.trim(), message?.trim() ?? ""];
  const isKnown = !said.includes("\n") || whole.endsWith(said);
  let rest = `${message !== null && whole.endsWith(said) ? whole.slice(0, whole.length - said.length) : whole}\n`;
  for (let last: Traceback | null = null; ;) {
    const end = rest.startsWith(START) ? rest.search(END) : -1;
    if (end < START.length) return last;
    last = { frames: rest.slice(START.length, end), raised: rest.slice(end + 1) };
    const next = FAILED_COMMAND.test(last.raised.split("\n", 1)[0] ?? "") ? null : NEXT.exec(last.raised);
    if (next === null || !isKnown) return last;
    rest = last.raised.slice(next.index + next[0].length);
  }
}
