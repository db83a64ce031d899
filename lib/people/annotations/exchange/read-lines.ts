import { ValidationError } from "@/lib/core/domain/app-error";

export interface ImportFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface SourceLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string | null;
  readonly problem: string | null;
}

/** Import limits. A judgment of maximum length is a third of a line; the shortest is 600 bytes. */
export const IMPORT_LIMITS = {
  lineBytes: 2 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  lines: 200_000,
} as const;

const NEWLINE = 0x0a;

/** Streams lines, so that memory stays bounded. Skips blank lines and strips a byte order mark. */
export async function* readLines({ name, bytes }: ImportFile): AsyncGenerator<SourceLine, void> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= IMPORT_LIMITS.lineBytes) parts.push(part);
    else parts = [];
  };
  const take = (): SourceLine => {
    const taken = decodeLine(name, line, Buffer.concat(parts), length);
    line += 1;
    parts = [];
    length = 0;
    return taken;
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      if (line > IMPORT_LIMITS.lines)
        throw new ValidationError(
          `${name} has more than ${IMPORT_LIMITS.lines.toLocaleString("en-US")} lines. Import it in parts.`,
          {},
        );
      add(piece.subarray(from, end));
      const taken = take();
      if (taken.text !== "") yield taken;
      from = end + 1;
    }
    // Copy, because the reader may reuse the buffer.
    if (from < piece.length) add(piece.slice(from));
  }
  if (length === 0) return;
  const last = take();
  if (last.text !== "") yield last;
}

function decodeLine(file: string, line: number, bytes: Buffer, length: number): SourceLine {
  const refuse = (problem: string): SourceLine => ({ file, line, text: null, problem });
  if (length > IMPORT_LIMITS.lineBytes)
    return refuse(
      `The line has ${length.toLocaleString("en-US")} bytes. The limit is ${IMPORT_LIMITS.lineBytes.toLocaleString("en-US")}.`,
    );
  const text = bytes.toString("utf8");
  const again = Buffer.from(text, "utf8");
  if (!again.equals(bytes)) {
    const at = bytes.findIndex((byte, index) => byte !== again[index]);
    return refuse(`Byte ${String(at + 1)} of the line is not UTF-8. Save the file as UTF-8.`);
  }
  return { file, line, text: (line === 1 ? text.replace(/^\uFEFF/, "") : text).trim(), problem: null };
}
