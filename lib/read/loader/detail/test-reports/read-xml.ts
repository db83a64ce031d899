export interface XmlListener {
  open: (name: string, attributes: ReadonlyMap<string, string>) => void;
  close: () => void;
  text: (text: string) => void;
}

/** Deeper than any report writer nests, and safe for recursive code. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 100;
const MAX_VALUES = 500_000;

const ATTRIBUTE = /\s+([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_NAME = /<([A-Za-z_:][\w:.-]*)/y;
const TAG_END = /\s*(\/?)>/y;
const CLOSING_TAG = /<\/([A-Za-z_:][\w:.-]*)\s*>/y;
// Without a body, it is a stray ampersand.
const REFERENCE = /&(?:([^;&]{1,10});)?/g;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Emits elements and text in one pass. Rejects document types, so the only entities are XML's five and character references.
 * Accepts control characters except NUL, since runners copy those of terminals.
 * @returns null, or why it cannot be read; what was emitted before is partial
 */
export function readXml(source: string, listener: XmlListener): string | null {
  if (source.includes("\0")) return "It holds NUL bytes.";
  const reader = new XmlReader(source.startsWith("\uFEFF") ? source.slice(1) : source, listener);
  return reader.read();
}

class XmlReader {
  private at = 0;
  private nValues = 0;
  private hasRoot = false;
  private readonly openNames: string[] = [];
  private readonly source: string;
  private readonly listener: XmlListener;

  constructor(source: string, listener: XmlListener) {
    this.source = source;
    this.listener = listener;
  }

  read(): string | null {
    while (this.at < this.source.length) {
      const problem = this.takeText() ?? this.takeMarkup();
      if (problem !== null) return problem;
    }
    const inside = this.openNames.at(-1);
    if (inside !== undefined) return `It ends inside <${inside}>.`;
    return this.hasRoot ? null : "It holds no element.";
  }

  private takeText(): string | null {
    const next = this.source.indexOf("<", this.at);
    const raw = this.source.slice(this.at, next < 0 ? this.source.length : next);
    this.at += raw.length;
    if (this.openNames.length === 0) return raw.trim() === "" ? null : "It has text outside its element.";
    const text = decodeReferences(raw);
    if (text === null) return REFUSED_REFERENCE;
    if (text !== "") this.listener.text(text);
    return null;
  }

  private takeMarkup(): string | null {
    const { source, at } = this;
    if (at >= source.length) return null;
    if (source.startsWith("<!--", at)) return this.skipTo("-->", at + 4);
    if (source.startsWith("<?", at)) return this.skipTo("?>", at + 2);
    if (source.startsWith("<![CDATA[", at)) return this.takeCharacterData(at + 9);
    if (source.startsWith("<!", at)) return "It declares a document type or entities, which are not read.";
    return source.startsWith("</", at) ? this.takeClosingTag() : this.takeElement();
  }

  private skipTo(end: string, from: number): string | null {
    const found = this.source.indexOf(end, from);
    if (found < 0) return `It ends before a "${end}".`;
    this.at = found + end.length;
    return null;
  }

  private takeCharacterData(from: number): string | null {
    if (this.openNames.length === 0) return "It has text outside its element.";
    const problem = this.skipTo("]]>", from);
    if (problem === null) this.listener.text(this.source.slice(from, this.at - 3));
    return problem;
  }

  private takeClosingTag(): string | null {
    const name = this.match(CLOSING_TAG)?.[1];
    if (name === undefined || name !== this.openNames.pop()) return "It closes an element that is not open.";
    this.listener.close();
    return null;
  }

  private takeElement(): string | null {
    const name = this.match(TAG_NAME)?.[1];
    if (name === undefined) return `It has a "<" that begins nothing.`;
    if (this.openNames.length === 0 && this.hasRoot) return "It has more than one element at the top.";
    if (this.openNames.length >= MAX_DEPTH) return `Its elements are nested more than ${MAX_DEPTH} deep.`;
    this.hasRoot = true;
    const attributes = this.takeAttributes();
    if (typeof attributes === "string") return attributes;
    const end = this.match(TAG_END);
    if (end === null) return `The tag of <${name}> is not closed.`;
    this.nValues += 1 + attributes.size;
    if (this.nValues > MAX_VALUES) return `It holds more than ${MAX_VALUES.toLocaleString("en")} values.`;
    this.listener.open(name, attributes);
    if (end[1] === "/") this.listener.close();
    else this.openNames.push(name);
    return null;
  }

  private takeAttributes(): ReadonlyMap<string, string> | string {
    const attributes = new Map<string, string>();
    for (let found = this.match(ATTRIBUTE); found !== null; found = this.match(ATTRIBUTE)) {
      const name = found[1] ?? "";
      const value = decodeReferences((found[2] ?? found[3] ?? "").replace(/[\t\n\r]/g, " "));
      if (value === null) return REFUSED_REFERENCE;
      if (attributes.has(name) || attributes.size >= MAX_ATTRIBUTES)
        return "An element has too many attributes, or one of them twice.";
      attributes.set(name, value);
    }
    return attributes;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
}

const REFUSED_REFERENCE = 'It has an "&" that names no character of XML.';

function decodeReferences(text: string): string | null {
  if (!text.includes("&")) return text;
  const refused: string[] = [];
  const decoded = text.replace(REFERENCE, (reference, body: string | undefined) => {
    const character = body === undefined ? undefined : (ENTITIES.get(body) ?? readCharacter(body));
    if (character === undefined) refused.push(reference);
    return character ?? "";
  });
  return refused.length > 0 ? null : decoded;
}

function readCharacter(body: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(body) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
