import { SaxesParser } from "saxes";

import type { Parsed } from "@/lib/core/domain/load-issue";
import type { TestCase } from "@/lib/core/domain/trial-file";

import { stripTerminal } from "../terminal-text";
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

export interface XmlListener {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close: () => void;
  text: (text: string) => void;
}

/** Deeper than any report writer nests, and safe for recursive code. */
const MAX_DEPTH = 100;
const MAX_VALUES = 500_000;

/** Runners copy control characters of terminals, and write `]]>` without escaping it. */
const TOLERATED = /: (?:disallowed character|the string "]]>" is disallowed in char data)\.$/;

/**
 * Emits elements and text in one pass. Rejects document types, so the only entities are XML's five and character references.
 * @returns null, or why it cannot be read; what was emitted before is partial
 */
export function readXml(source: string, listener: XmlListener): string | null {
  if (source.includes("\0")) return "It has NUL bytes.";
  // Version 1.1 allows references to control characters.
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: "1.1", forceXMLVersion: true });
  let depth = 0;
  let nValues = 0;
  const countValue = (): void => {
    if (++nValues > MAX_VALUES) refuse(`It has more than ${MAX_VALUES.toLocaleString("en")} values.`);
  };
  const addText = (text: string): void => {
    if (depth > 0) listener.text(text);
  };
  parser.on("error", ({ message }) => {
    if (TOLERATED.test(message)) countValue();
    else refuse(`Invalid XML at ${message}`);
  });
  parser.on("doctype", () => refuse("It declares a document type, which is not supported."));
  parser.on("attribute", countValue);
  parser.on("opentag", ({ name, attributes }) => {
    countValue();
    if (++depth > MAX_DEPTH) refuse(`Its elements are nested more than ${MAX_DEPTH} deep.`);
    listener.open(name, attributes);
  });
  parser.on("closetag", () => {
    depth--;
    listener.close();
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    parser.write(source.trimStart().toWellFormed()).close();
    return null;
  } catch (error) {
    if (error instanceof XmlProblem) return error.message;
    throw error;
  }
}

class XmlProblem extends Error {}

function refuse(why: string): never {
  throw new XmlProblem(why);
}
