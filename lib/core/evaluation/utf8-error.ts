/** Returns the length of a sequence that begins with this byte, and the range of its second byte; null for an invalid lead. */
function describeLead(byte: number): { length: number; low: number; high: number } | null {
  if (byte >= 0xc2 && byte <= 0xdf) return { length: 2, low: 0x80, high: 0xbf };
  if (byte >= 0xe0 && byte <= 0xef) {
    return { length: 3, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf };
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    return { length: 4, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf };
  }
  return null;
}

/** Returns CPython's message for the first bytes that are not UTF-8. */
export function describeUtf8Error(bytes: Uint8Array): string {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      at++;
      continue;
    }
    const lead = describeLead(byte);
    if (lead === null) return word(byte, at, at, "invalid start byte");
    for (let index = 1; index < lead.length; index++) {
      const next = bytes[at + index];
      if (next === undefined) return word(byte, at, at + index - 1, "unexpected end of data");
      const isFine = index === 1 ? next >= lead.low && next <= lead.high : next >= 0x80 && next <= 0xbf;
      if (!isFine) return word(byte, at, at + index - 1, "invalid continuation byte");
    }
    at += lead.length;
  }
  return "'utf-8' codec can't decode the bytes";
}

function word(byte: number, first: number, last: number, reason: string): string {
  const what =
    first === last
      ? `byte 0x${byte.toString(16).padStart(2, "0")} in position ${String(first)}`
      : `bytes in position ${String(first)}-${String(last)}`;
  return `'utf-8' codec can't decode ${what}: ${reason}`;
}
