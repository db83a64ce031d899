import { createContext, Script } from "node:vm";

import { common, createLowlight } from "lowlight";

import type { TextLine, TextSpan } from "@/lib/core/domain/trial-file";

/** `PAGE_MS` is shared by the texts of a page; later ones stay plain. `MOST_MS` stops even a single text. */
const PAGE_MS = 250;
const MOST_MS = 1_000;
const MAX_CHARS = 40_000;
/** No one writes longer lines, and grammars take quadratic time on them. */
const MAX_LINE_CHARS = 1_000;

/** Lines of a text, and spans of all texts of a page. */
const MOST_LINES = 1_300;
const MOST_SPANS = 5_000;

/** Uses weight and grey only: hue is for states and agents. */
const STYLES: Readonly<Record<string, Pick<TextSpan, "tone" | "strong">>> = {
  "hljs-keyword": { tone: null, strong: true },
  "hljs-section": { tone: null, strong: true },
  "hljs-strong": { tone: null, strong: true },
  "hljs-name": { tone: null, strong: true },
  "hljs-selector-tag": { tone: null, strong: true },
  "hljs-attr": { tone: null, strong: true },
  "hljs-addition": { tone: null, strong: true },
  "hljs-comment": { tone: "dim", strong: false },
  "hljs-quote": { tone: "dim", strong: false },
  "hljs-meta": { tone: "dim", strong: false },
  "hljs-deletion": { tone: "dim", strong: false },
};
const PLAIN = { tone: null, strong: false } as const;

type Grammars = ReturnType<typeof createLowlight>;
type Tree = ReturnType<Grammars["highlight"]>;

const FILE_NAMES: Readonly<Record<string, string>> = { makefile: "makefile", gnumakefile: "makefile" };
const PROSE: ReadonlySet<string> = new Set(["txt", "text", "log", "md", "markdown", "plaintext"]);
const NUMBER = /^ *\d+(?:→|\t|[|:] ?)/u;

let grammars: Grammars | null = null;

function openGrammars(): Grammars {
  grammars ??= createLowlight(common);
  return grammars;
}

export function findLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const language = FILE_NAMES[name] ?? name.slice(name.lastIndexOf(".") + 1);
  return !PROSE.has(language) && /^[\w+#-]{1,20}$/u.test(language) && openGrammars().registered(language)
    ? language
    : null;
}

/** Runs in a context with a timeout, because a regular expression cannot be interrupted otherwise. */
const WORK = new Script("work()");

/** Falls back to plain text on timeout. `make` then runs twice, so it must not change outer state. */
export function makeHighlighted<T>(make: (highlighter: Highlighter) => T): T {
  // One context for the whole page: creating one takes longer than highlighting most texts.
  const place = createContext({ work: () => make(new Highlighter(PAGE_MS)) });
  try {
    return WORK.runInContext(place, { timeout: MOST_MS }) as T; // The result of `work`.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    // The interrupted grammars may be half initialized.
    grammars = null;
    return make(new Highlighter(0));
  }
}

export class Highlighter {
  private msLeft: number;
  private spansLeft = MOST_SPANS;

  constructor(msLeft: number) {
    this.msLeft = msLeft;
  }

  /** Lines that come too late or have their own styles stay unchanged. */
  highlight(
    lines: readonly TextLine[],
    language: string | null,
    mostLines = MOST_LINES,
  ): readonly TextLine[] {
    if (language === null || this.msLeft < 1 || this.spansLeft <= 0) return lines;
    const plain = takePlain(lines.slice(0, mostLines));
    const numbers = findNumbers(plain);
    const code = plain.map((line, row) => line.slice(numbers[row]?.length ?? 0)).join("\n");
    const tree = code.trim() === "" ? null : this.parse(code, language);
    if (tree === null) return lines;
    const coloured = splitLines(tree).map((spans, row) => joinLine(numbers[row] ?? "", spans));
    return lines.map((line, row) => {
      const other = coloured[row];
      if (plain[row] !== line || other === undefined || typeof other === "string") return line;
      this.spansLeft -= other.length;
      return this.spansLeft < 0 ? line : other;
    });
  }

  private parse(code: string, language: string): Tree | null {
    const start = performance.now();
    try {
      return openGrammars().highlight(language, code);
    } catch {
      return null;
    } finally {
      this.msLeft -= performance.now() - start;
    }
  }
}

/** Takes lines up to the character limit. An overlong line becomes empty; any styled line gives none. */
function takePlain(lines: readonly TextLine[]): readonly string[] {
  const plain: string[] = [];
  let room = MAX_CHARS;
  for (const line of lines) {
    if (typeof line !== "string") return [];
    room -= line.length + 1;
    if (room < 0) break;
    plain.push(line.length > MAX_LINE_CHARS ? "" : line);
  }
  return plain;
}

function findNumbers(lines: readonly string[]): readonly string[] {
  const numbers = lines.map((line) => NUMBER.exec(line)?.[0] ?? "");
  return numbers.filter((number) => number !== "").length > lines.length / 2 ? numbers : [];
}

function joinLine(number: string, spans: readonly TextSpan[]): TextLine {
  const all = number === "" ? spans : [{ text: number, tone: "dim" as const, strong: false }, ...spans];
  return all.every(({ tone, strong }) => tone === null && !strong)
    ? all.map(({ text }) => text).join("")
    : all;
}

function splitLines(tree: Tree): readonly (readonly TextSpan[])[] {
  const lines: TextSpan[][] = [[]];
  const waiting = [
    { node: tree as Tree | Tree["children"][number], style: PLAIN as (typeof STYLES)[string] },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, style } = next;
    if (node.type === "text") pushText(lines, node.value, style);
    else if ("children" in node) {
      const own = (node.type === "element" && STYLES[String(listClasses(node.properties)[0])]) || style;
      for (const child of node.children.toReversed()) waiting.push({ node: child, style: own });
    }
  }
  return lines;
}

function listClasses({ className }: { readonly className?: unknown }): readonly unknown[] {
  return Array.isArray(className) ? className : [];
}

function pushText(lines: TextSpan[][], value: string, style: (typeof STYLES)[string]): void {
  for (const [nth, text] of value.split("\n").entries()) {
    if (nth > 0) lines.push([]);
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (text === "" || line === undefined) continue;
    if (last !== undefined && last.tone === style.tone && last.strong === style.strong)
      line[line.length - 1] = { ...last, text: last.text + text };
    else line.push({ ...style, text });
  }
}
