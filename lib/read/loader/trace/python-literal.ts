const LIST_OF_TEXTS = /^\[\{'type': '(?:input_text|output_text|text)', 'text': (?=['"])/u;
const NEXT_TEXT = /\}, \{'type': '(?:input_text|output_text|text)', 'text': (?=['"])/uy;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };
const CODE_POINT = /x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}/uy;

export function readPythonTexts(literal: string): readonly string[] | null {
  const start = LIST_OF_TEXTS.exec(literal);
  if (start === null) return null;
  const texts: string[] = [];
  for (let at = start[0].length; ;) {
    const read = readString(literal, at);
    if (read === null) return null;
    texts.push(read.text);
    if (literal.startsWith("}]", read.end)) return literal.length === read.end + 2 ? texts : null;
    NEXT_TEXT.lastIndex = read.end;
    const next = NEXT_TEXT.exec(literal);
    if (next === null) return null;
    at = read.end + next[0].length;
  }
}

function readString(literal: string, start: number): { readonly text: string; readonly end: number } | null {
  const quote = literal[start];
  const pieces: string[] = [];
  let copied = start + 1;
  for (let at = copied; at < literal.length; at++) {
    if (literal[at] === quote) {
      pieces.push(literal.slice(copied, at));
      return { text: pieces.join(""), end: at + 1 };
    }
    if (literal[at] !== "\\") continue;
    pieces.push(literal.slice(copied, at));
    const { text, length } = readEscape(literal, at + 1);
    pieces.push(text);
    copied = at + 1 + length;
    at = copied - 1;
  }
  return null;
}

function readEscape(literal: string, at: number): { readonly text: string; readonly length: number } {
  CODE_POINT.lastIndex = at;
  const code = CODE_POINT.exec(literal)?.[0];
  const point = code === undefined ? NaN : Number.parseInt(code.slice(1), 16);
  if (code !== undefined && point <= 0x10ffff)
    return { text: String.fromCodePoint(point), length: code.length };
  const char = literal[at] ?? "";
  return { text: ESCAPES[char] ?? char, length: 1 };
}
