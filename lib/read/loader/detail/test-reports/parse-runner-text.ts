import { stripVTControlCharacters } from "node:util";

import { PlaywrightReader } from "./playwright-text";
import { PytestReader } from "./pytest-text";
import { makeReport, type ReadReport, type ReportPlace, type TestTotals, UNKNOWN_TOTALS } from "./report";

const MAX_LINE = 4_000;

/** The result may be incomplete or wrong, because any program can print such lines. Totals are unknown if any run has none. */
export function parseRunnerText(text: string, place: ReportPlace): ReadReport | null {
  const readers = [new PytestReader(), new PlaywrightReader()];
  for (let at = 0; at < text.length;) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    if (end - at <= MAX_LINE) {
      const line = cleanLine(text.slice(at, end));
      for (const reader of readers) reader.take(line);
    }
    at = end + 1;
  }
  const runs = readers.flatMap((reader) => reader.close());
  if (runs.length === 0) return null;
  const tool = [...new Set(runs.map((run) => run.tool))].join(", ");
  const tests = runs.flatMap((run) => run.tests);
  return makeReport(place, { form: "text", tool }, tests, addTotals(runs.map((run) => run.totals)));
}

function cleanLine(raw: string): string {
  const line = stripVTControlCharacters(raw).trimEnd();
  return line.slice(line.lastIndexOf("\r") + 1);
}

function addTotals(all: readonly TestTotals[]): TestTotals {
  let [nTests, nPassed, nFailed] = [0, 0, 0];
  for (const totals of all) {
    if (totals.nTests === null || totals.nPassed === null || totals.nFailed === null) return UNKNOWN_TOTALS;
    nTests += totals.nTests;
    nPassed += totals.nPassed;
    nFailed += totals.nFailed;
  }
  return { nTests, nPassed, nFailed };
}
