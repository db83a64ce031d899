import type { TestCase } from "./trial-file";

/** What reporters of pytest say of every failed test. */
const SAYS_NOTHING = /^(?:The test failed in the \w+ phase\b.*)?$/u;
const ERROR_LINE = /^E(?:\s|$)/u;
const TYPED = /^[\w.]*(?:Error|Exception|Failure|Failed)\b:?\s*\S/u;

/**
 * Why a test failed, in its reporter's words, or where these are the same for every test in those of its trace: the line with
 * which pytest says what was raised. Null where neither says anything; never longer than what was reported.
 */
export function tellReason({ message, trace }: Pick<TestCase, "message" | "trace">): string | null {
  if (message !== null && !SAYS_NOTHING.test(message.trim())) return message;
  return (trace === null ? null : findRaised(trace.split("\n"))) ?? message;
}

/** Of the last lines that pytest marks, which are those of what ended the test, the last one with a type, else the first. */
function findRaised(lines: readonly string[]): string | null {
  const end = lines.findLastIndex((line) => ERROR_LINE.test(line));
  let from = end;
  while (from > 0 && ERROR_LINE.test(lines[from - 1] ?? "")) from--;
  const said = lines
    .slice(Math.max(0, from), end + 1)
    .map((line) => line.slice(1).trim())
    .filter((line) => line !== "");
  return said.findLast((line) => TYPED.test(line)) ?? said[0] ?? null;
}
