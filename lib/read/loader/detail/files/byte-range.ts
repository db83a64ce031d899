export interface RangeRequest {
  readonly range: string | null;
  readonly ifRange: string | null;
}

/** `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Returns the requested byte range; null for the whole file, which also answers several ranges, other units and ranges of
 * another version. `beyond` if it starts after the file's end.
 * @see RFC 9110, sections 13.1.5 and 14.2
 */
export function chooseRange(
  { range, ifRange }: RangeRequest,
  sizeBytes: number,
  version: string,
): ByteRange | "beyond" | null {
  const found = range === null ? null : ONE_RANGE.exec(range.trim());
  if (found === null || (ifRange !== null && ifRange !== version)) return null;
  const [, first = "", last = ""] = found;
  if (first === "") return last === "" ? null : takeEnd(Number(last), sizeBytes);
  const from = Number(first);
  const to = last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== "" && Number(last) < from) return null;
  return from >= sizeBytes ? "beyond" : { from, to };
}

function takeEnd(n: number, sizeBytes: number): ByteRange | "beyond" {
  return n === 0 || sizeBytes === 0 ? "beyond" : { from: Math.max(0, sizeBytes - n), to: sizeBytes };
}
