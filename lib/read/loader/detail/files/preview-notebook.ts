import type { FilePreview, NotebookCell } from "@/lib/core/domain/file-preview";
import type { TextBlock } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject, listOr, objectOr, pickNumber, pickText } from "../json-shape";
import { parseLooseJson } from "../parse-loose-json";
import { countLineBytes, prepareTextBlock } from "../terminal-text";
import { type FileBytes, readBytes } from "./file-bytes";

const MAX_FILE_BYTES = 16 << 20;
const MAX_CELLS = 200;
const MAX_OUTPUTS = 20;
const MAX_TYPES = 5;
const MAX_BYTES = 600_000;
const CELL_BYTES = 600;
const LIMITS = { maxLines: 300, maxLineChars: 1_000, maxBytes: 60_000 };
const KINDS = ["code", "markdown", "raw"] as const;

export async function previewNotebook(file: FileBytes): Promise<FilePreview | string> {
  if (file.sizeBytes > MAX_FILE_BYTES) return "Notebooks of more than 16 MB are not shown as cells.";
  const text = (await readBytes(file, 0, file.sizeBytes)).toString("utf8");
  const parsed = parseLooseJson(text, "");
  if (!parsed.ok) return parsed.issue.detail;
  const all = objectOr(parsed.value)["cells"];
  if (!Array.isArray(all)) return "This notebook has no list of cells.";
  const room = { bytes: MAX_BYTES };
  const cells: NotebookCell[] = [];
  for (const cell of all.slice(0, MAX_CELLS)) {
    if (room.bytes <= 0) break;
    if (isObject(cell)) cells.push(readCell(cell, room));
  }
  return { kind: "notebook", cells, nCells: all.length };
}

interface Room {
  bytes: number;
}

function readCell(cell: JsonObject, room: Room): NotebookCell {
  const outputs = listOr(cell["outputs"]).filter(isObject).slice(0, MAX_OUTPUTS);
  room.bytes -= CELL_BYTES * (1 + outputs.length);
  return {
    kind: KINDS.find((kind) => kind === cell["cell_type"]) ?? "raw",
    count: pickNumber(cell, "execution_count"),
    source: takeText(joinText(cell["source"]), room),
    outputs: outputs.map((output) => readOutput(output, room)),
  };
}

function readOutput(output: JsonObject, room: Room): NotebookCell["outputs"][number] {
  if (output["output_type"] === "error") {
    const name = `${pickText(output, "ename") ?? "Error"}: ${pickText(output, "evalue") ?? ""}`;
    const trace = joinText(output["traceback"], "\n");
    return { kind: "error", text: takeText(trace === "" ? name : trace, room) };
  }
  const data = objectOr(output["data"]);
  const text = output["text"] ?? data["text/plain"];
  if (text !== undefined) return { kind: "text", text: takeText(joinText(text), room) };
  return {
    kind: "left-out",
    types: Object.keys(data)
      .slice(0, MAX_TYPES)
      .map((type) => type.slice(0, 100).toWellFormed()),
  };
}

function joinText(value: unknown, between = ""): string {
  if (typeof value === "string") return value;
  return listOr(value)
    .filter((line) => typeof line === "string")
    .join(between);
}

function takeText(text: string, room: Room): TextBlock {
  const block = prepareTextBlock(text, {
    ...LIMITS,
    maxBytes: Math.max(0, Math.min(LIMITS.maxBytes, room.bytes)),
  });
  room.bytes -= block.lines.reduce((sum, line) => sum + countLineBytes(line), 0);
  return block;
}
