import { cutText } from "@/lib/core/domain/text-bounder";
import type { StepCall } from "@/lib/core/domain/trajectory";

import {
  isObject,
  type JsonObject,
  parseJsonText,
  pickText,
  writeIndented,
  writeValue,
} from "../detail/json-shape";
import { stripTerminal } from "../detail/terminal-text";

type CallText = Omit<StepCall, "id" | "name" | "results">;

const MAX_HEADLINE = 240;
const MAX_LINE = 4_000;
const COMMAND_FIELDS = ["command", "cmd", "keystrokes", "script", "code"] as const;
const PATH_FIELDS = ["file_path", "filePath", "path", "filename", "notebook_path"] as const;
const EDIT_FIELDS = [
  ...PATH_FIELDS,
  "old_string",
  "oldString",
  "old_str",
  "new_string",
  "newString",
  "new_str",
  "content",
  "file_text",
  "contents",
] as const;
const TEXT_FIELDS = [
  "pattern",
  "query",
  "url",
  "subagent_type",
  "description",
  "subject",
  "prompt",
  "input",
  "patch",
  "text",
] as const;

const NO_PARTS = { otherArguments: "", argumentsJson: null, files: [], edit: null };

export function readCallText(value: unknown): CallText {
  const opened = openJsonText(value);
  if (typeof opened === "string") {
    const text = openPatch(opened);
    return { ...NO_PARTS, headline: toHeadline(text), argumentsText: text, files: listPatchedFiles(text) };
  }
  if (!isObject(opened))
    return { ...NO_PARTS, headline: "", argumentsText: opened === undefined ? "" : JSON.stringify(opened) };
  return readObject(value, opened);
}

function readObject(value: unknown, opened: JsonObject): CallText {
  const edit = pickEdit(opened);
  const command = edit === null ? pickCommand(opened) : null;
  const file = pickText(opened, ...PATH_FIELDS);
  const named = file === null || file.length > MAX_LINE ? [] : [file];
  if (command !== null)
    return {
      ...NO_PARTS,
      headline: toHeadline(command[1]),
      argumentsText: command[1],
      otherArguments: writeOthers(opened, [command[0]]),
      files: named,
    };
  const isNested = Object.values(opened).some((one) => typeof one === "object" && one !== null);
  const input = pickText(opened, "patch", "input");
  const patch = input === null ? null : openPatch(input);
  return {
    headline: toHeadline(file ?? pickText(opened, ...TEXT_FIELDS) ?? describeFirst(opened)),
    argumentsText: patch !== null && Object.keys(opened).length === 1 ? patch : writeArguments(opened),
    otherArguments: edit === null ? "" : writeOthers(opened, EDIT_FIELDS),
    files: patch === null ? named : [...new Set([...named, ...listPatchedFiles(patch)])],
    argumentsJson: isNested ? writeValue(value) : null,
    edit,
  };
}

function openJsonText(value: unknown): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return value;
  return parseJsonText(value) ?? value;
}

function pickCommand(args: JsonObject): readonly [field: string, command: string] | null {
  for (const name of COMMAND_FIELDS) {
    const value = args[name];
    if (Array.isArray(value) && value.length > 0) return [name, value.map(writeValue).join(" ")];
  }
  for (const name of COMMAND_FIELDS) {
    const command = pickText(args, name);
    if (command !== null) return [name, command];
  }
  return null;
}

function writeOthers(args: JsonObject, fields: readonly string[]): string {
  return writeArguments(Object.fromEntries(Object.entries(args).filter(([name]) => !fields.includes(name))));
}

function pickEdit(args: JsonObject): CallText["edit"] {
  const before = pickText(args, "old_string", "oldString", "old_str");
  const after = pickText(args, "new_string", "newString", "new_str");
  if (before !== null || after !== null) return { before: before ?? "", after: after ?? "" };
  const content = pickText(args, "content", "file_text", "contents");
  return content === null || pickText(args, ...PATH_FIELDS) === null ? null : { before: "", after: content };
}

function describeFirst(args: JsonObject): string {
  const entry = Object.entries(args).find(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  return entry === undefined ? "" : `${entry[0]}: ${String(entry[1])}`;
}

/** Writes one argument per line with text unescaped: JSON would show a prompt as one line. */
function writeArguments(args: JsonObject): string {
  const lines = Object.entries(args).map(([name, value]) => {
    const text = typeof value === "string" ? value : writeIndented(value);
    return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
  });
  return lines.join("\n");
}

const QUOTED_PATCH = /"\*\*\* Begin Patch\\n(?:[^"\\]|\\.)*"/gu;

function openPatch(text: string): string {
  if (!text.includes('"*** Begin Patch')) return text;
  return text.replaceAll(QUOTED_PATCH, (quoted) => {
    const patch = parseJsonText(quoted);
    return typeof patch === "string" ? `"\n${patch}\n"` : quoted;
  });
}

const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.{1,4000})$/gmu;
const MOST_FILES = 100;

function listPatchedFiles(text: string): readonly string[] {
  if (!text.includes("*** ")) return [];
  return Array.from(text.matchAll(PATCHED_FILE), ([, file = ""]) => file.trim()).slice(0, MOST_FILES);
}

function toHeadline(text: string): string {
  const [file] = listPatchedFiles(text);
  const line = file ?? text.trim().split("\n", 1)[0] ?? "";
  const clean = stripTerminal(line.slice(0, MAX_LINE)).trim().toWellFormed();
  return clean.length > MAX_HEADLINE ? `${cutText(clean, MAX_HEADLINE)}…` : clean;
}
