import type { Parsed } from "@/lib/core/domain/load-issue";
import type { TestCase } from "@/lib/core/domain/trial-file";

import { stripTerminal } from "../terminal-text";
import { readXml, type XmlListener } from "./read-xml";
import { makeReport, type ReadReport, type ReportPlace } from "./report";

/**
 * Parses JUnit XML; null for other XML. A document that is cut off, declares a document type or is too deep is `report_unreadable`.
 * As the format defines it, a test case without `failure`, `error` and `skipped` passed.
 * @see https://github.com/testmoapp/junitxml
 */
export function parseJUnit(text: string, place: ReportPlace): Parsed<ReadReport | null> {
  if (!text.includes("<testsuite")) return { ok: true, value: null };
  const listener = new JUnitListener();
  const problem = readXml(text, listener);
  if (problem !== null)
    return { ok: false, issue: { code: "report_unreadable", path: place.file, detail: problem } };
  if (!ROOTS.has(listener.root)) return { ok: true, value: null };
  return { ok: true, value: makeReport(place, { form: "junit", tool: null }, listener.tests) };
}

const ROOTS: ReadonlySet<string> = new Set(["testsuites", "testsuite"]);

const VERDICTS: ReadonlyMap<string, "failed" | "skipped"> = new Map([
  ["failure", "failed"],
  ["error", "failed"],
  ["skipped", "skipped"],
]);

interface OpenCase {
  readonly attributes: Readonly<Record<string, string>>;
  readonly depth: number;
  status: "failed" | "skipped" | null;
  message: string | null;
  readonly texts: string[];
}

class JUnitListener implements XmlListener {
  root = "";
  readonly tests: TestCase[] = [];
  private depth = 0;
  private current: OpenCase | null = null;
  private isInVerdict = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth++;
    if (this.depth === 1) this.root = name;
    if (this.current === null) {
      if (name === "testcase")
        this.current = { attributes, depth: this.depth, status: null, message: null, texts: [] };
      return;
    }
    const verdict = VERDICTS.get(name);
    if (verdict === undefined || this.depth !== this.current.depth + 1) return;
    this.isInVerdict = true;
    if (this.current.status !== "failed") this.current.status = verdict;
    this.current.message ??= attributes["message"] ?? null;
  }

  close(): void {
    if (this.current?.depth === this.depth) {
      this.tests.push(readCase(this.current));
      this.current = null;
    } else if (this.current?.depth === this.depth - 1) {
      this.isInVerdict = false;
    }
    this.depth--;
  }

  text(text: string): void {
    if (this.isInVerdict) this.current?.texts.push(text);
  }
}

function readCase({ attributes, status, message, texts }: OpenCase): TestCase {
  const name = attributes["name"] ?? "";
  const group = attributes["classname"] ?? "";
  const names = [group, name].filter((one, at, all) => one !== "" && all.indexOf(one) === at);
  return {
    name: names.join(" > ") || "unnamed test",
    status: status ?? readStatus(attributes["status"]),
    durationMs: readSeconds(attributes["time"]),
    message: textOrNull(message ?? ""),
    trace: textOrNull(texts.join("")),
  };
}

/** Some writers state separately that a case without `failure`, `error` and `skipped` did not run. */
function readStatus(stated: string | undefined): TestCase["status"] {
  const word = stated?.toLowerCase();
  if (word === "notrun" || word === "disabled" || word === "skipped") return "skipped";
  return word === "failed" || word === "failure" || word === "error" ? "other" : "passed";
}

/** Converts seconds to milliseconds. Rejects commas, which are ambiguous. */
function readSeconds(text: string | undefined): number | null {
  if (text === undefined || !/^[\d.e+-]+$/i.test(text)) return null;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function textOrNull(text: string): string | null {
  return stripTerminal(text).trim() || null;
}
