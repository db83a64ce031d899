import "server-only";
import { NotFoundError, ReadingError, StoreError, ValidationError } from "@/lib/core/domain/app-error";
import type { ExportFormat } from "@/lib/core/domain/export-format";
import { CONTENT_TYPES, type ExportTable, makeByteStream, writeExport } from "@/lib/output/export";
import manifest from "@/package.json";

export interface Download<Row> {
  readonly name: string;
  readonly table: ExportTable<Row>;
  /** Nothing is read before the first row is requested. */
  readonly rows: AsyncIterable<Row>;
  readonly generation: number;
}

/**
 * Serves a download while it is made: 404 for an unknown list, 400 for unknown values in the URL, 503 for unreadable data. A later
 * failure breaks the connection, so that the browser reports an incomplete file.
 */
export async function serveDownload<Row>(
  { format, url }: { readonly format: ExportFormat; readonly url: string },
  open: () => Promise<Download<Row>>,
): Promise<Response> {
  return serveFile(async () => {
    const { name, table, rows, generation } = await open();
    const { pathname, search } = new URL(url);
    const pieces = writeExport(format, table, await readFirst(rows), {
      "assay.version": manifest.version,
      "assay.address": pathname + search,
      "assay.generation": String(generation),
    });
    return { name: `${name}.${format}`, contentType: CONTENT_TYPES[format], pieces };
  });
}

export interface FileDownload {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: AsyncGenerator<string | Uint8Array, void> | string;
  /** Content-Security-Policy for a file that browsers render. */
  readonly policy?: string;
}

/** A store failure must surface before `open` returns. */
export async function serveFile(open: () => Promise<FileDownload>): Promise<Response> {
  try {
    const { name, contentType, pieces, policy } = await open();
    return new Response(typeof pieces === "string" ? pieces : makeByteStream(pieces), {
      headers: {
        "content-type": contentType,
        "content-disposition": formatDisposition(name),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...(policy !== undefined && { "content-security-policy": policy }),
      },
    });
  } catch (error) {
    if (error instanceof NotFoundError) return refuse(404, error.message);
    if (error instanceof ValidationError) return refuse(400, error.message);
    if (error instanceof StoreError || error instanceof ReadingError) return refuse(503, error.message);
    throw error;
  }
}

/** Reads the first row early, so that an unreadable store is reported before anything is sent. */
export async function readFirst<Row>(rows: AsyncIterable<Row>): Promise<AsyncGenerator<Row, void>> {
  const rest = rows[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}

function refuse(status: number, words: string): Response {
  return new Response(`${words}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

const LONGEST_NAME = 120;

/** Removes leading dots, so that no file is hidden. Old clients get an ASCII name. */
export function formatDisposition(name: string): string {
  const kept = name.slice(-LONGEST_NAME).replace(/^\.+/, "_");
  const plain = kept.replaceAll(/[^\w.-]+/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(kept.toWellFormed())}`;
}
