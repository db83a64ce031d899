import type { LogPlace } from "@/lib/core/domain/verifier-check";

import { joinFolder, type LoadRoot } from "../discover/load-root";
import { type LogTail, useLogTail } from "./log-tail";

const RUN = /^Running command: /;
const END = /^Command (?:outputs captured|failed)$/;
const HEREDOC = /<<-?\s*(["']?)(\w+)\1/y;

/**
 * Marks lines of a `trial.log` that are text of a Harbor command, including the quoted task instruction. A command ends
 * with its end message, or with its quotes if it timed out before that.
 * @see harbor 0.24.0 src/harbor/agents/installed/base.py, `_exec`
 */
export function markCommands({ texts, isWhole }: Pick<LogTail, "texts" | "isWhole">): readonly boolean[] {
  const marks = texts.map(() => false);
  const first = texts.findIndex((text) => RUN.test(text) || END.test(text));
  if (!isWhole && first !== -1 && END.test(texts[first] ?? "")) marks.fill(true, 0, first);
  let mayClose = true;
  for (let at = findFrom(texts, RUN, 0, texts.length); at < texts.length;) {
    const closed: number | null = mayClose ? findClosed(texts, at) : null;
    mayClose = closed !== null;
    const next = findFrom(texts, RUN, closed ?? at + 1, texts.length);
    const end = findFrom(texts, END, closed ?? at + 1, next);
    marks.fill(true, at, end < next ? end : (closed ?? next));
    at = next;
  }
  return marks;
}

function findFrom(texts: readonly string[], pattern: RegExp, from: number, to: number): number {
  for (let at = from; at < to; at++) if (pattern.test(texts[at] ?? "")) return at;
  return to;
}

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
const VERIFYING =
  /^\s+File "[^"\n]*[/\\]harbor[/\\](?:verifier[/\\][^"\n]*", line \d+|[^"\n]*", line \d+, in _run\w*_verifier\b)/;

interface Cancellation {
  readonly place: LogPlace;
  readonly text: string;
}

/**
 * Finds the line where Harbor cancelled a trial, if its traceback proves that the verifier was running. The traceback follows the
 * line, or is in `exception.txt` if the trial had no earlier exception.
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

function findFrames(lines: readonly string[]): readonly string[] | null {
  const frame = lines.findLast((line) => VERIFYING.test(line));
  const raised = lines.findLast((line) => /^[\w.]*CancelledError\b/.test(line));
  return frame === undefined || raised === undefined ? null : [frame, raised];
}
