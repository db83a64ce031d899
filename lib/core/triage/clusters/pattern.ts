/** Kinds of text that differs between runs of one failure. `text` is a quoted value, `command` a program that was not found. */
type SlotKind = "number" | "path" | "id" | "time" | "address" | "text" | "command" | "task";

export interface Pattern {
  /** One line of at most 300 characters and a slot. Each slot is its kind in ⟨ ⟩, which occur nowhere else. */
  readonly text: string;
  readonly slots: readonly string[];
}

const PATTERN_AT_MOST = 300;
const VALUE_AT_MOST = 120;
const TEXT_AT_MOST = 4_000;

const SLOT = /⟨(number|path|id|time|address|text|command|task)⟩/gu;

export function splitPattern(text: string): readonly string[] {
  return text.split(SLOT);
}

/** A quoted value, a word, or what is between words. Never backtracks over more than one word. */
const TOKEN =
  /(?<![\w\])])(["'`])(?<quoted>(?:(?!\1)[^\n]){1,400})\1(?!\w)|[^\s"'`()<>[\]{},;=|]+|\s+|["'`()<>[\]{},;=|]/gu;

/** The number after these words is a code, not a measure. */
const CODE = /\b(?:exit|code|status|errno|http|signal|error)[\s:=(]{1,3}$/iu;

/**
 * Replaces numbers, paths, ids, hashes, times, addresses and quoted values with slots. Exit codes, statuses and quoted names such
 * as `'NoneType'` stay, since they separate failures. Linear in the text; reads its first 4,000 characters.
 * @param taskName - becomes a slot too; null to leave it in
 */
export function findPattern(text: string, taskName: string | null = null): Pattern {
  const pattern = new PatternText();
  const given = text.slice(0, TEXT_AT_MOST).toWellFormed().replace(/[⟨⟩]/gu, "'").trim();
  const names = new Set(
    [taskName ?? "", taskName?.split("/").at(-1) ?? ""].filter(({ length }) => length > 3),
  );
  for (const match of given.matchAll(TOKEN)) {
    if (pattern.isFull()) break;
    const [token] = match;
    const quoted = match.groups?.["quoted"];
    const end = match.index + token.length;
    if (/^\s/u.test(token)) pattern.addText(" ");
    else if (quoted !== undefined)
      addQuoted(pattern, quoted, {
        token,
        before: given.slice(Math.max(0, match.index - 4), match.index),
        after: given.charAt(end),
        names,
      });
    else if (token.endsWith(":") && /^ (?:command )?not found\b/u.test(given.slice(end, end + 20))) {
      pattern.addSlot("command", token.slice(0, -1));
      pattern.addText(":");
    } else addWord(pattern, token, names);
  }
  return pattern.finish();
}

/** Joins slots of one kind with only commas and spaces between them. */
class PatternText {
  private text = "";
  private readonly slots: string[] = [];
  private last: { readonly kind: SlotKind; readonly end: number } | null = null;

  isFull(): boolean {
    return this.text.length >= PATTERN_AT_MOST;
  }

  tail(): string {
    return this.text.slice(-12);
  }

  addText(part: string): void {
    if (part !== " " || !this.text.endsWith(" "))
      this.text += part.slice(0, Math.max(0, PATTERN_AT_MOST - this.text.length));
  }

  addSlot(kind: SlotKind, value: string): void {
    if (this.isFull()) return;
    const { last } = this;
    const between = last === null ? null : this.text.slice(last.end);
    if (last?.kind === kind && between !== null && /^[\s,]{1,3}$/u.test(between)) {
      const known = this.slots.pop() ?? "";
      this.slots.push(`${known}${between}${value}`.slice(0, VALUE_AT_MOST));
      this.text = this.text.slice(0, last.end);
      return;
    }
    this.text += `⟨${kind}⟩`;
    this.slots.push(value.slice(0, VALUE_AT_MOST));
    this.last = { kind, end: this.text.length };
  }

  finish(): Pattern {
    return { text: this.text.toWellFormed().trim(), slots: this.slots.map((value) => value.toWellFormed()) };
  }
}

type TaskNames = ReadonlySet<string>;

interface Quoted {
  readonly token: string;
  readonly before: string;
  readonly after: string;
  readonly names: TaskNames;
}

/** Parses keys and values of a record as words and keeps names; every other quoted value is a slot. */
function addQuoted(pattern: PatternText, quoted: string, { token, before, after, names }: Quoted): void {
  const isOfRecord = after === ":" || /["'`]\s?:\s?$/u.test(before);
  if (!isOfRecord && !names.has(quoted) && !/^[a-z_][a-z_.]*$/iu.test(quoted)) {
    pattern.addSlot(findSlot(quoted) ?? "text", quoted);
    return;
  }
  pattern.addText(token.charAt(0));
  for (const [part] of quoted.matchAll(/[^\s"'`()<>[\]{},;=|]+|\s+|["'`()<>[\]{},;=|]/gu)) {
    if (/^\s/u.test(part)) pattern.addText(" ");
    else addWord(pattern, part, names);
  }
  pattern.addText(token.charAt(0));
}

function addWord(pattern: PatternText, word: string, names: TaskNames): void {
  const bare = word.replace(/[.:!?…]{1,8}$/u, "");
  const rest = word.slice(bare.length);
  const measure = /^(?<sign>[-+~$#]?)(?<digits>\d[\d.,_]*(?:e[-+]?\d{1,4})?)(?<unit>%|[a-z]{0,3})$/iu.exec(
    bare,
  )?.groups;
  const kind = names.has(bare) ? "task" : findSlot(bare);
  if (kind !== null) pattern.addSlot(kind, bare);
  else if (measure !== undefined) addNumber(pattern, bare, measure["unit"] ?? "");
  else if (bare.includes(":") || bare.includes("/")) addPieces(pattern, bare);
  else pattern.addText(bare);
  pattern.addText(rest);
}

function addNumber(pattern: PatternText, number: string, unit: string): void {
  const value = number.slice(0, number.length - unit.length);
  if (unit === "" && /^-?\d{1,3}$/u.test(value) && CODE.test(pattern.tail())) pattern.addText(value);
  else {
    pattern.addSlot("number", value);
    pattern.addText(unit);
  }
}

function addPieces(pattern: PatternText, word: string): void {
  for (const piece of word.split(/(:+)/u)) {
    const kind = findSlot(piece);
    if (kind !== null) pattern.addSlot(kind, piece);
    else if (/^[-+]?\d[\d.,_]*$/u.test(piece)) addNumber(pattern, piece, "");
    else pattern.addText(piece);
  }
}

const KINDS: readonly (readonly [kind: SlotKind, form: RegExp])[] = [
  [
    "address",
    /^(?:[a-z][a-z+.-]{1,9}:\/\/\S+|0x[\da-f]{2,}|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[?[\da-f]{1,4}(?::[\da-f]{0,4}){3,}\]?|localhost:\d{1,5})$/iu,
  ],
  [
    "time",
    /^(?:\d{4}-\d\d-\d\d(?:[t_]{1,2}\d\d[:-]\d\d(?:[:-]\d\d(?:[.,]\d{1,9})?)?(?:z|[-+]\d\d:?\d\d)?)?|\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)$/iu,
  ],
  ["path", /^(?:~|\.{1,2}|[a-z]:|[\w.@+$-]+)?[/\\][^:]+(?::\d+){0,2}$/iu],
  ["id", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu],
  ["id", /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,}$/iu],
  ["id", /^[\w.-]{1,200}__[a-z\d]{7}$/iu],
  ["id", /^(?:req|msg|toolu|call|user|chatcmpl|gen|resp|run|thread|org|sess|key)[-_][\w-]{8,}$/iu],
  ["id", /^#?(?=\D*\d\D*\d)(?=\d*[a-z])[a-z\d]{12,}$/iu],
  ["id", /^#[a-z]{0,3}\d{3,}$/iu],
];

/** Null for a word that stays, and for numbers, which keep their unit. */
function findSlot(word: string): SlotKind | null {
  if (word.length < 3 || !/[\d/\\]/u.test(word)) return null;
  return KINDS.find(([, form]) => form.test(word))?.[0] ?? null;
}
