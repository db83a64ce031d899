import type { LogPlace } from "@/lib/domain/verifier-check";

import { joinFolder, type LoadRoot } from "../discover/load-root";
import { type LogTail, useLogTail } from "./log-tail";

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

const CANCELLED = /^Trial \S+ cancelled$/;
/** A frame of a traceback that is Harbor's own way to or in its verifier. */
const VERIFYING =
  /^\s+File "[^"\n]*[/\\]harbor[/\\](?:verifier[/\\][^"\n]*", line \d+|[^"\n]*", line \d+, in _run\w*_verifier\b)/;

/** Where Harbor says that it cancelled a trial, with the lines that say so. */
interface Cancellation {
  readonly place: LogPlace;
  /** That line, the frame of the traceback in which the verifier ran, and what was raised. */
  readonly text: string;
}

/**
 * The line with which Harbor says that it cancelled a trial, where the traceback of that shows that the verifier was running;
 * null where nothing proves it. The traceback stands behind the line, or in `exception.txt` where the trial had no exception
 * before.
 * @see harbor 0.24.0 src/harbor/trial/trial.py, `run` and `_record_exception`
 */
export function findCancelledVerifier(root: LoadRoot, folder: string): Cancellation | null {
  const file = "trial.log";
  const found = useLogTail(root, joinFolder(folder, file), (tail) => {
    const commands = markCommands(tail);
    const at = tail.lines.findLastIndex((line, index) => CANCELLED.test(line) && commands[index] === false);
    if (at === -1) return null;
    const before = tail.countBefore();
    const line = before === null ? null : before + at + 1;
    return {
      place: { file, line },
      said: tail.lines[at] ?? "",
      behind: findFrames(tail.lines.slice(at + 1)),
    };
  });
  if (found === null) return null;
  const { place, said, behind } = found;
  const frames =
    behind ?? useLogTail(root, joinFolder(folder, "exception.txt"), ({ lines }) => findFrames(lines));
  return frames === null ? null : { place, text: [said, ...frames].join("\n") };
}

/** The innermost frame in which the verifier ran and what was raised there; null for any other traceback. */
function findFrames(lines: readonly string[]): readonly string[] | null {
  const frame = lines.findLast((line) => VERIFYING.test(line));
  const raised = lines.findLast((line) => /^[\w.]*CancelledError\b/.test(line));
  return frame === undefined || raised === undefined ? null : [frame, raised];
}
