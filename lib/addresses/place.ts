import { z } from "zod";

import { type Cursor, FIRST_PAGE, type PagePlace, PLACE_PARAMS } from "@/lib/domain/page-place";

import type { SearchValues } from "./address";

const LONGEST_CURSOR = 4_000;
const MOST_COLUMNS = 8;

const cursorSchema = z
  .array(
    z.union([
      // PostgreSQL has no text with a zero in it.
      z.string().refine((text) => !text.includes("\0")),
      // Infinity too, which a reward may be; zod's own number has none.
      z.custom<number>((value) => typeof value === "number"),
      z.null(),
    ]),
  )
  .min(1)
  .max(MOST_COLUMNS);

/** A cursor as text for an address: base64url of its JSON, in UTF-8. NaN, which no order has, becomes null. */
export function formatCursor(cursor: Cursor): string {
  return Buffer.from(`[${cursor.map(formatValue).join(",")}]`).toString("base64url");
}

/** JSON reads a number too large for a double as infinite, and has no other way to write that. */
function formatValue(value: Cursor[number]): string {
  if (value === Infinity) return "1e999";
  return value === -Infinity ? "-1e999" : JSON.stringify(value);
}

/** The cursor that {@link formatCursor} made the text of; null for any other text. */
export function parseCursor(text: string): Cursor | null {
  if (text.length > LONGEST_CURSOR) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return cursorSchema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

/** Which page an address asks for: the one behind `after`, the one before `before`, the last, else the first. */
export function parsePlace(search: SearchValues): PagePlace {
  const [after, before, last] = PLACE_PARAMS.map((name) => [search[name]].flat().at(-1));
  const behind = after === undefined ? null : parseCursor(after);
  if (behind !== null) return { kind: "after", cursor: behind };
  const ahead = before === undefined ? null : parseCursor(before);
  if (ahead !== null) return { kind: "before", cursor: ahead };
  return last === undefined ? FIRST_PAGE : { kind: "last" };
}

/** The values of an address that {@link parsePlace} reads as this page; the first page has none. */
export function formatPlace(place: PagePlace): Readonly<Record<string, string | undefined>> {
  switch (place.kind) {
    case "first":
      return {};
    case "after":
      return { after: formatCursor(place.cursor) };
    case "before":
      return { before: formatCursor(place.cursor) };
    case "last":
      return { last: "1" };
  }
}
