import fc from "fast-check";

/** Unexpected values, as JSON, TOML, XML or a line of text. */
const ODD_TEXTS: readonly string[] = [
  ..."null true false 0 -0 -1 2 0.1 1. .5 01 1e5 1E+400 -1e999 1e308 5e-324 NaN Infinity -Infinity nan inf +1 1_0".split(
    " ",
  ),
  ...[
    "9007199254740993",
    "12345678901234567890",
    "9".repeat(400),
    "9".repeat(4301),
    "-0.0",
    "1e-400",
    "0x10",
  ],
  ...[
    '""',
    '"x"',
    '"1"',
    '"nan"',
    '"1_0"',
    '"\\ud800"',
    '"\\u0000"',
    '"\\x"',
    '"\u{1f600}\u202e\u2028"',
    "'",
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"../../x"',
    '"9999-99-99T99:99:99Z"',
    '"2026-01-01"',
    '"(a+)+$"',
    '"["',
  ],
  ...[`"${"a".repeat(5000)}"`, `"${"\\n".repeat(500)}"`, "[]", "{}", "[null]", '[1, "x", {}]', "[[[[[]]]]]"],
  ...[nest(60), nest(900), nest(1500), `${'{"a":'.repeat(70)}1${"}".repeat(70)}`, "[".repeat(3000)],
  ...['{"__proto__": {"a": 1}}', '{"a": 1, "a": 2}', '{"reward": 1}', `[${"0,".repeat(300)}0]`, '"""', "'''"],
  ...[
    "&lt;",
    "&#0;",
    "&#x110000;",
    "&x;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "</a>",
    "<a b='c'/>",
    "<!DOCTYPE a>",
  ],
  ...["\0", "\uFEFF", "\r", "\r\n", "\u2028", "\t", " ", ",", ":", "{", "}", "]", "=", "\\", '"', "١٢", "１"],
];

function nest(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

const ODD_BYTES = [
  "\0",
  "\xff",
  "\xc3\x28",
  "\xed\xa0\x80",
  "\xef\xbb\xbf",
  "\xf4\x90\x80\x80",
  "\r",
  "\n",
  "\x1b[",
].map((text) => Buffer.from(text, "latin1"));

/** A part of a text: from `start` up to, without, `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Anatomy {
  /** Parts that can be put in each other's place, by kind: tokens, groups in brackets, members, values of members, lines. */
  readonly spans: readonly (readonly Span[])[];
  readonly text: string;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\w+|[^\s\w]/gu;

/** Splits a text of JSON, TOML or XML roughly into parts that cover all of it. */
function dissect(text: string): Anatomy {
  const tokens = Array.from(text.matchAll(TOKEN), ({ index, 0: token }) => ({
    start: index,
    end: index + token.length,
  }));
  const groups: Span[] = [];
  const members: Span[] = [];
  const values: Span[] = [];
  const opened: { start: number; comma: number | null; colon: number | null }[] = [
    { start: 0, comma: null, colon: null },
  ];
  for (const { start, end } of tokens) {
    const token = text.slice(start, end);
    if ("{[<(".includes(token)) opened.push({ start, comma: start, colon: null });
    const inner = opened.at(-1);
    if (inner === undefined) continue;
    if (":=".includes(token)) inner.colon = end;
    if (token === "," || "}])>".includes(token)) {
      if (inner.comma !== null && start > inner.comma + 1)
        members.push({ start: inner.comma + 1, end: start });
      if (inner.colon !== null) values.push({ start: inner.colon, end: start });
      Object.assign(inner, { comma: start, colon: null });
    }
    if ("}])>".includes(token) && opened.length > 1) groups.push({ start: opened.pop()?.start ?? 0, end });
  }
  const lines = Array.from(text.matchAll(/[^\n]*\n|[^\n]+$/gu), ({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }));
  return { text, spans: [tokens, groups, members, values, values, lines].filter((list) => list.length > 0) };
}

/** Numbers that say what is done; what they are remainders of differs from text to text. */
interface Edit {
  readonly kind: number;
  readonly place: number;
  readonly what: number;
  readonly source: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.nat({ max: 255 }),
  place: fc.nat({ max: 0xffff }),
  what: fc.nat({ max: 255 }),
  source: fc.nat({ max: 0xffff }),
});

/** Changes parts of a text that do not overlap, from its end to its start. */
function editText({ text, spans }: Anatomy, edits: readonly Edit[]): string {
  const choose = ({ kind, place }: Pick<Edit, "kind" | "place">): Span => {
    const list = spans[kind % spans.length] ?? [];
    return list[place % list.length] ?? { start: 0, end: 0 };
  };
  const chosen = edits.map((one) => ({ ...one, ...choose(one) })).sort((a, b) => b.end - a.end);
  let changed = text;
  let limit = text.length;
  for (const { start, end, kind, what, source } of chosen) {
    if (end > limit) continue;
    limit = start;
    const other = choose({ kind, place: source });
    const texts: readonly string[] = [
      ODD_TEXTS[source % ODD_TEXTS.length] ?? "",
      "",
      text.slice(other.start, other.end),
      `${text.slice(start, end)},${text.slice(other.start, other.end)}`,
      `[${text.slice(start, end)}]`,
    ];
    // An odd text is as likely as all the others together.
    changed = changed.slice(0, start) + (texts[Math.max(0, (what % 8) - 3)] ?? "") + changed.slice(end);
  }
  return changed;
}

function editBytes(bytes: Buffer, edits: readonly Edit[]): Buffer {
  return edits.reduce((before, { kind, place, what, source }) => {
    const at = place % (before.length + 1);
    const rest = before.subarray(at);
    const odd = ODD_BYTES[source % ODD_BYTES.length] ?? Buffer.alloc(0);
    const flipped = Buffer.from(rest.subarray(0, 1).map((byte) => byte ^ (1 << (what % 8))));
    const ways: readonly (readonly Buffer[])[] = [
      [before.subarray(0, at)],
      [before.subarray(0, at), flipped, rest.subarray(1)],
      [before.subarray(0, at), odd, rest],
      [odd, before],
      [before.subarray(0, at), rest.subarray(what)],
      [before.subarray(0, at), rest.subarray(0, what), rest],
    ];
    return Buffer.concat(ways[kind % ways.length] ?? []);
  }, bytes);
}

/** A case, whose bytes fast-check prints as text. */
export class Mutation {
  readonly text: string;
  readonly bytes: Buffer;
  /** Sample that it was made from. */
  readonly sample: number;

  constructor(sample: number, bytes: Buffer) {
    this.sample = sample;
    this.bytes = bytes;
    this.text = bytes.toString("utf8");
  }

  /** Text that fast-check prints for a counterexample. */
  [fc.toStringMethod](): string {
    return `#${this.sample} ${JSON.stringify(this.bytes.toString("latin1"))}`;
  }
}

/**
 * Files that were meant to be like one of the samples: values of another type, size or depth, keys that are missing, doubled
 * or odd, parts in each other's place, and of every third the bytes changed, cut or not UTF-8. One in a hundred is unchanged.
 */
export function arbitraryMutation(samples: readonly string[]): fc.Arbitrary<Mutation> {
  const anatomies = samples.map(dissect);
  return fc
    .record({
      sample: fc.nat({ max: samples.length - 1 }),
      edits: fc.array(edit, { maxLength: 4, size: "max" }),
      byteEdits: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(edit, { maxLength: 2, size: "max" }),
      ),
    })
    .map(({ sample, edits, byteEdits }) => {
      const anatomy = anatomies[sample] ?? { text: "", spans: [] };
      const edited = edits.length === 0 ? anatomy.text : editText(anatomy, edits);
      return new Mutation(sample, editBytes(Buffer.from(edited), byteEdits));
    });
}

/** Processor time that any one case may take, far beyond what the slowest takes. */
const MOST_MS = 2_000;

/** Runs a case and throws if it took long by the processor time of its own thread, which other programs do not change. */
export async function withinTime<T>(run: () => Promise<T> | T): Promise<T> {
  const before = process.threadCpuUsage();
  const result = await run();
  const { user, system } = process.threadCpuUsage(before);
  if (user + system > MOST_MS * 1000) throw new Error(`took ${(user + system) / 1000} ms`);
  return result;
}
