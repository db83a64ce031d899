/** Bytes of an ASCII character, which a page has twice: as HTML, and in React's data, a JSON text in a script. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code < 0x20) return 1 + (code >= 8 && code <= 13 && code !== 11 ? 3 : 7);
  const escaped: Readonly<Record<string, number>> = { "<": 10, ">": 10, "&": 11, '"': 10, "'": 7, "\\": 5 };
  return escaped[String.fromCharCode(code)] ?? 2;
});
/** A surrogate pair is 4 bytes of UTF-8; a lone surrogate is a replacement in HTML and an escape in JSON. */
const WHOLE_PAIR = 8;
const HALF_PAIR = 10;

/** Returns the bytes of a text in a page that shows it once: UTF-8 after escaping, as HTML and in React's data. */
export function countPageBytes(text: string): number {
  return walk(text, Infinity).bytes;
}

/** Returns {@link countPageBytes} of a name or path inside an address, where a character may take 18 bytes. */
export function countAddressBytes(name: string): number {
  return countPageBytes(encodeURIComponent(name.toWellFormed()));
}

/** Returns the longest beginning of at most `bytes` of {@link countPageBytes}, without splitting a surrogate pair. */
export function fitPage(text: string, bytes: number): string {
  const { length } = walk(text, bytes);
  return length === text.length ? text : text.slice(0, length);
}

export function fitPageEnd(text: string, bytes: number): string {
  let left = bytes;
  let at = text.length;
  while (at > 0) {
    const pair = at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
    const length = pair > 0xffff ? 2 : 1;
    left -= countCharacter(length === 2 ? pair : text.charCodeAt(at - 1));
    if (left < 0) break;
    at -= length;
  }
  return at === 0 ? text : text.slice(at);
}

export function takeFitting<T>(
  list: readonly T[],
  bytes: number,
  countBytes: (entry: T) => number,
): readonly T[] {
  let left = bytes;
  const end = list.findIndex((entry) => {
    left -= countBytes(entry);
    return left < 0;
  });
  return end < 0 ? list : list.slice(0, end);
}

/** Returns the first entries of each list that fit into `bytes` together; an equal share each if not all fit. */
export function takeFittingEach<T>(
  lists: readonly (readonly T[])[],
  bytes: number,
  countBytes: (entry: T) => number,
): readonly (readonly T[])[] {
  const all = lists.flat();
  if (takeFitting(all, bytes, countBytes) === all) return lists;
  return lists.map((list) => takeFitting(list, bytes / lists.length, countBytes));
}

/** Returns the length in UTF-16 units and bytes of the longest beginning within `most` bytes. */
function walk(text: string, most: number): { readonly length: number; readonly bytes: number } {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const cost = countCharacter(code);
    if (bytes + cost > most) break;
    bytes += cost;
    at += code > 0xffff ? 2 : 1;
  }
  return { length: at, bytes };
}

function countCharacter(code: number): number {
  if (code < 0x80) return ASCII[code] ?? 0;
  if (code < 0x800) return 4;
  if (code > 0xffff) return WHOLE_PAIR;
  if (code >= 0xd800 && code < 0xe000) return HALF_PAIR;
  return code === 0x2028 || code === 0x2029 ? 3 + 6 : 6;
}
