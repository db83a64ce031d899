import "server-only";
import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import type { ListRange } from "@/lib/core/domain/list-page";
import { API_LIMITS } from "@/lib/output/api";
import { wholeFrom } from "@/lib/pages/address/values";

const PAGE_NAMES = ["limit", "cursor"] as const;

export interface PageRequest {
  readonly range: ListRange;
  /** Null on the last page. @param nRows - rows of this page */
  readonly nextCursor: (nRows: number, nMatching: number) => string | null;
}

/**
 * Reads `limit` and `cursor`. A cursor is bound to one list in one state, so that no row is missed or repeated.
 * @param version - changes with the list
 * @param names - other parameters that the address may have
 * @throws ValidationError for an unknown name or value; ConflictError if the list changed since
 */
export function readPageRequest(url: string, version: number, names: readonly string[]): PageRequest {
  const { searchParams, pathname } = new URL(url);
  refuseNames(searchParams, [...names, ...PAGE_NAMES]);
  const written = searchParams.get("limit");
  const limit = written === null ? API_LIMITS.usual : wholeFrom(1).parse(written);
  if (limit === null || limit > API_LIMITS.most)
    throw new ValidationError(`limit takes a whole number from 1 to ${String(API_LIMITS.most)}.`, {});
  const cursor = searchParams.get("cursor");
  for (const name of PAGE_NAMES) searchParams.delete(name);
  const list = `${pathname}?${searchParams.toString()}`;
  const from = cursor === null ? 0 : readCursor(cursor, list, version);
  return {
    range: { from, limit },
    nextCursor: (nRows, nMatching) =>
      nRows === 0 || from + nRows >= nMatching ? null : writeCursor(from + nRows, list, version),
  };
}

/** @throws ValidationError for a name outside `names`, because a misspelt filter would return every row */
export function refuseNames(params: URLSearchParams, names: readonly string[]): void {
  const unknown = [...new Set(params.keys())].filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new ValidationError(
      `This address takes no ${unknown.join(", ")}. It takes ${names.join(", ")}; see /api/v1/openapi.json.`,
      {},
    );
}

function writeCursor(from: number, list: string, version: number): string {
  return Buffer.from(JSON.stringify([from, version, list])).toString("base64url");
}

function readCursor(cursor: string, list: string, version: number): number {
  const [from, ofVersion, ofList] = parseCursor(cursor);
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 0 || ofList !== list)
    throw new ValidationError(
      "This cursor is not of this list. Take next_cursor as it is, and leave the other parameters as they were.",
      {},
    );
  if (ofVersion !== version)
    throw new ConflictError(
      "What is listed changed since the first page. Begin again without cursor.",
      version,
    );
  return from;
}

function parseCursor(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
