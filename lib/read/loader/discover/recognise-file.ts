import type { PyValue } from "@/lib/core/scoring";
import { skimDocument } from "@/lib/read/schema/skim-document";

import type { FileLimits } from "../file-access";
import { parseDocument, readText } from "../read-document";
import type { DocumentKind, Recognition } from "./discovery-memo";
import { type LoadRoot, prepareIssue } from "./load-root";

/** Larger files are identified by top-level keys: parsing takes ten times as long, and a search may meet thousands. */
const MOST_PARSED = 256 << 10;

export function recogniseFile(
  root: LoadRoot,
  file: string,
  limits: FileLimits,
  recognise: (value: PyValue) => DocumentKind | null,
): Recognition {
  const reading = readText(root, file, limits);
  if (reading.kind === "absent") return { kind: null, issue: null };
  if (reading.kind === "refused") return { kind: null, issue: reading.issue };
  if (reading.bytes.length > MOST_PARSED) {
    const { isWhole, value } = skimDocument(reading.text);
    const detail = "The file is not complete JSON; it may be half written.";
    if (!isWhole) return { kind: null, issue: prepareIssue(root, "json_torn", file, detail) };
    return { kind: value && recognise(value), issue: null };
  }
  const document = parseDocument(root, file, reading);
  if (document.kind !== "read")
    return { kind: null, issue: document.kind === "refused" ? document.issue : null };
  return { kind: recognise(document.value), issue: null };
}
