import { nameTest } from "@/lib/core/domain/tally-tests";
import type { TestReport } from "@/lib/core/domain/trial-file";
import type { LogPlace } from "@/lib/core/domain/verifier-check";

import { readTextInside } from "../open-inside";

const MAX_LOG_BYTES = 8 << 20;
const MAX_TESTS = 50;

/** Finds pytest's heading, else the first line with the test's name and a word for failing. Keyed by `nameTest`. */
export async function findTestsInLogs(
  trialPath: string,
  reports: readonly TestReport[],
): Promise<ReadonlyMap<string, LogPlace>> {
  const failed = reports.flatMap((report) =>
    report.tests.flatMap((test) => (test.status === "failed" ? [{ report, test }] : [])),
  );
  const places = new Map<string, LogPlace>();
  const logs = new Map<string, readonly string[]>();
  for (const { report, test } of failed.slice(0, MAX_TESTS)) {
    const folder = /^(?:steps\/[^/]+\/)?verifier/u.exec(report.file)?.[0] ?? "verifier";
    const file = `${folder}/test-stdout.txt`;
    const lines = logs.get(file) ?? (await readLines(trialPath, file));
    logs.set(file, lines);
    const line = findLine(lines, test.name.split(" > ").at(-1)?.split("::").at(-1) ?? "");
    if (line !== null && !places.has(nameTest(report, test)))
      places.set(nameTest(report, test), { file, line });
  }
  return places;
}

async function readLines(trialPath: string, file: string): Promise<readonly string[]> {
  const text = await readTextInside(trialPath, file, MAX_LOG_BYTES);
  return text?.ok === true ? text.value.split("\n") : [];
}

const HEADING = /^___.*___\s*$/u;
const FAILING = /fail|error|✗|✘|×|not ok/iu;

function findLine(lines: readonly string[], name: string): number | null {
  if (name === "") return null;
  const naming = lines.flatMap((line, at) => (namesTest(line, name) ? [at] : []));
  const found =
    naming.find((at) => HEADING.test(lines[at] ?? "")) ?? naming.find((at) => FAILING.test(lines[at] ?? ""));
  return found === undefined ? null : found + 1;
}

function namesTest(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const around = `${line[at - 1] ?? ""} ${line[at + name.length] ?? ""}`;
    if (!/\w/u.test(around)) return true;
  }
  return false;
}
