import "server-only";
import {
  AppError,
  ConflictError,
  NotFoundError,
  ReadingError,
  StoreError,
  ValidationError,
} from "@/lib/core/domain/app-error";

const HEADERS = {
  // Clients may store an answer but must revalidate it by its ETag.
  "cache-control": "private, no-cache",
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
};

/**
 * Answers an API request with JSON and an ETag, or 304 if the client has that version. Errors are JSON with a code and one
 * sentence that says what to do.
 */
export async function answerApi(
  { headers }: Pick<Request, "headers">,
  prepare: () => Promise<object> | object,
): Promise<Response> {
  try {
    const body = JSON.stringify(await prepare());
    const etag = `"${await computeTag(body)}"`;
    const isKnown = (headers.get("if-none-match") ?? "").split(",").some((one) => isSame(one.trim(), etag));
    if (isKnown) return new Response(null, { status: 304, headers: { ...HEADERS, etag } });
    return new Response(body, { headers: { ...HEADERS, etag } });
  } catch (error) {
    const status = findStatus(error);
    if (status === null || !(error instanceof Error)) throw error;
    const code = error instanceof AppError || error instanceof StoreError ? error.code : "failed";
    return new Response(JSON.stringify({ error: { code, message: error.message } }), {
      status,
      headers: { ...HEADERS, "cache-control": "no-store" },
    });
  }
}

/** A proxy that compresses makes a tag weak. */
function isSame(given: string, etag: string): boolean {
  return given === etag || given === `W/${etag}`;
}

async function computeTag(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return Buffer.from(digest).toString("hex").slice(0, 32);
}

/** Null for an internal error. */
function findStatus(error: unknown): number | null {
  if (error instanceof ValidationError) return 400;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof ConflictError) return 409;
  return error instanceof StoreError || error instanceof ReadingError ? 503 : null;
}
