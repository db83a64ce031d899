import type { TestCase } from "./trial-file";

const SAYS_NOTHING = /^(?:The test failed in the \w+ phase\b.*)?$/u;
const ERROR_LINE = /^E(?:\s|$)/u;
const TYPED = /^[\w.]*(?:Error|Exception|Failure|Failed)\b:?\s*\S/u;

/** Returns the reporter's message or, if that is generic, pytest's line of what was raised. Never longer than the report. */
export function tellReason({ message, trace }: Pick<TestCase, "message" | "trace">): string | null {
  if (message !== null && !SAYS_NOTHING.test(message.trim())) return message;
  return (trace === null ? null : findRaised(trace.split("\n"))) ?? message;
}

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
