import "server-only";

import { NotFoundError, ReadingError, StoreError, ValidationError } from "@/lib/domain/app-error";
import type { ExportFormat } from "@/lib/domain/export-format";
import { CONTENT_TYPES, type ExportTable, makeByteStream, writeExport } from "@/lib/export";
import manifest from "@/package.json";

/** A list that is about to be downloaded. */
export interface Download<Row> {
  /** Name of the file without its ending. */
  readonly name: string;
  readonly table: ExportTable<Row>;
  /** Nothing is read before the first row is asked for. */
  readonly rows: AsyncIterable<Row>;
  /** Number of the index's state when the download began. */
  readonly generation: number;
}

/**
 * The answer to a request for a download, sent as it is made. 404 when there is no such list, 400 when its address has values that nobody knows, 503 when it cannot be read;
 * a failure on the way breaks the connection off, so that the browser says that the file is not whole.
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

/** A file that is made as it is sent. */
export interface FileDownload {
  readonly name: string;
  readonly contentType: string;
  /** Made as they are sent, or the whole text. */
  readonly pieces: AsyncGenerator<string | Uint8Array, void> | string;
  /** Content-Security-Policy of a file that browsers draw. */
  readonly policy?: string;
}

/** The same for a file that is no list of columns. A failing store must be noticed before `open` returns. */
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

/** The same rows with the first one read, so that a store that cannot be read is said before anything is sent. */
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

/** A name to save under: without a leading dot, so that no file is hidden, in ASCII for old clients and as it is. */
export function formatDisposition(name: string): string {
  const kept = name.slice(-LONGEST_NAME).replace(/^\.+/, "_");
  const plain = kept.replaceAll(/[^\w.-]+/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(kept.toWellFormed())}`;
}
