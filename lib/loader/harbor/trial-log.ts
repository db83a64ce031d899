import type { LogTail } from "./log-tail";

const RUN = /^Running command: /;
const END = /^Command (?:outputs captured|failed)$/;
const HEREDOC = /<<-?\s*(["']?)(\w+)\1/y;

/**
 * Tells which lines of a `trial.log` are text of a command that Harbor ran, the task's instruction in its quotes included. A
 * command goes on to the line that says it ended, or, where its time ran out before that, to the end of its quotes.
 * @see harbor 0.24.0 src/harbor/agents/installed/base.py, `_exec`
 */
export function markCommands({ texts, isWhole }: Pick<LogTail, "texts" | "isWhole">): readonly boolean[] {
  const marks = texts.map(() => false);
  const first = texts.findIndex((text) => RUN.test(text) || END.test(text));
  // The log was cut within the text of a command.
  if (!isWhole && first !== -1 && END.test(texts[first] ?? "")) marks.fill(true, 0, first);
  let mayClose = true;
  for (let at = findFrom(texts, RUN, 0, texts.length); at < texts.length;) {
    const closed: number | null = mayClose ? findClosed(texts, at) : null;
    // Quotes that are never closed are looked through to the end of the log, and no second time.
    mayClose = closed !== null;
    const next = findFrom(texts, RUN, closed ?? at + 1, texts.length);
    const end = findFrom(texts, END, closed ?? at + 1, next);
    marks.fill(true, at, end < next ? end : (closed ?? next));
    at = next;
  }
  return marks;
}

/** Index of the first line from there on that matches; `to` where none before that does. */
function findFrom(texts: readonly string[], pattern: RegExp, from: number, to: number): number {
  for (let at = from; at < to; at++) if (pattern.test(texts[at] ?? "")) return at;
  return to;
}

/** Index of the line behind that with which the quotes, heredocs and continuations of a shell command are closed; null for none. */
function findClosed(texts: readonly string[], from: number): number | null {
  let quote = "";
  let heredoc: string | null = null;
  for (let at = from; at < texts.length; at++) {
    const text = texts[at] ?? "";
    if (heredoc !== null) {
      if (text.trim() !== heredoc) continue;
      return at + 1;
    }
    ({ quote, heredoc } = readQuotes(text, quote));
    if (quote === "" && heredoc === null && !text.endsWith("\\")) return at + 1;
  }
  return null;
}

/** The quote that is open at the end of a line of a shell command, and the word that ends a heredoc which it begins. */
function readQuotes(text: string, before: string) {
  let quote = before;
  let heredoc: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\" && quote !== "'") at++;
    else if (char === quote) quote = "";
    else if (quote !== "") continue;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "<" && !text.startsWith("<<<", at)) {
      HEREDOC.lastIndex = at;
      const found = HEREDOC.exec(text);
      if (found === null) continue;
      heredoc = found[2] ?? null;
      at = HEREDOC.lastIndex - 1;
    } else if (char === "<") at += 2;
  }
  return { quote, heredoc };
}
