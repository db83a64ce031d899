import type { ImportSummary } from "@/lib/pages/annotations/import";
import {
  checkImport,
  type ImportResult,
  sendImportPart,
  startImport,
} from "@/lib/pages/annotations/import-actions";

/** Bytes of one part: in base64 well below what a change of a page may send at once. */
const PART_BYTES = 128 * 1024;

export interface CheckedFiles {
  readonly id: string;
  readonly summary: ImportSummary;
}

/** Sends files in parts and has them checked; `onProgress` gets the sent share, from 0 to 1. */
export async function sendFiles(
  files: readonly File[],
  onProgress: (share: number) => void,
): Promise<ImportResult<CheckedFiles>> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const started = await startImport();
  if (started.status === "failed") return started;
  const id = started.value;
  let sent = 0;
  for (const [index, file] of files.entries()) {
    // An empty file is sent too, so that the report names it.
    for (let at = 0; at === 0 || at < file.size; at += PART_BYTES) {
      const part = file.slice(at, at + PART_BYTES);
      const base64 = await readBase64(part);
      const answer = await sendImportPart({ id, file: index, name: file.name, base64 });
      if (answer.status === "failed") return answer;
      sent += part.size;
      onProgress(total === 0 ? 1 : sent / total);
    }
  }
  const checked = await checkImport(id);
  return checked.status === "failed" ? checked : { status: "done", value: { id, summary: checked.value } };
}

function readBase64(part: Blob): Promise<string> {
  if (part.size === 0) return Promise.resolve("");
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = typeof reader.result === "string" ? reader.result : "";
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
    reader.readAsDataURL(part);
  });
}
