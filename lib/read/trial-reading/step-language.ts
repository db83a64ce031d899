import type { StepCall } from "@/lib/core/domain/trajectory";
import type { TextLine } from "@/lib/core/domain/trial-file";

import { findLanguage, type Highlighter } from "./highlight";

const READS = /^(?:read|view|open|cat)/iu;
const RUNS_PYTHON = /python|jupyter|notebook/iu;
const PRINTS_FILE =
  /^(?:cat(?: -n)?|(?:head|tail)(?: -n)?(?: -?\d+)?|sed -n '?"?\d+,\d+p'?"?) ([^\s|;&<>$*]+)$/u;
const DIFF = /^(?:diff --git |\*\*\* Begin Patch$|@@ -\d+(?:,\d+)? \+\d+)/mu;
const FENCE = /^\s*(?:```|~~~)\s*([\w+#-]*)/u;
const MAX_HEAD = 4_000;

export function findCallLanguage({ name, headline, argumentsText, edit }: StepCall): string | null {
  if (edit !== null) return findLanguage(headline);
  if (DIFF.test(argumentsText.slice(0, MAX_HEAD))) return "diff";
  // A command is its own text; arguments of other calls are named, each on a line of its own.
  if (headline === "" || !argumentsText.trimStart().startsWith(headline.slice(0, -1))) return null;
  if (/^\w+:(?: |$)/u.test(headline)) return null;
  return RUNS_PYTHON.test(name) ? "python" : "bash";
}

export function findOutputLanguage(call: StepCall | null, output: string): string | null {
  if (DIFF.test(output.slice(0, MAX_HEAD))) return "diff";
  if (call === null || call.edit !== null) return null;
  const printed = PRINTS_FILE.exec(call.argumentsText.trim().slice(0, MAX_HEAD))?.[1];
  const file = printed ?? (READS.test(call.name) ? call.headline : null);
  return file === null ? null : findLanguage(file);
}

export function highlightFences(
  lines: readonly TextLine[],
  highlighter: Highlighter,
  bytes: number,
): readonly TextLine[] {
  const shown: TextLine[] = [];
  let tag: string | null = null;
  let code: TextLine[] = [];
  const close = () => {
    shown.push(...highlighter.highlight(code, tag === null ? null : findLanguage(tag), bytes));
    code = [];
  };
  for (const line of lines) {
    const fence = typeof line === "string" ? FENCE.exec(line) : null;
    if (fence === null) {
      (tag === null ? shown : code).push(line);
      continue;
    }
    close();
    tag = tag === null ? (fence[1] ?? "") : null;
    shown.push(line);
  }
  close();
  return shown;
}
