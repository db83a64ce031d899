import { createContext, Script } from "node:vm";

import { common, createLowlight } from "lowlight";

import type { TextLine, TextSpan } from "@/lib/domain/trial-file";
import { countLineBytes } from "@/lib/loader/detail";

/** Milliseconds that the texts of a page take together before the rest stays plain, and after which even one is stopped. */
const PAGE_MS = 250;
const MOST_MS = 1_000;
/** Characters of a text that are looked at; what follows stays plain. */
const MAX_CHARS = 40_000;
/** A longer line is none that people wrote, and grammars take a time that is its length squared. */
const MAX_LINE_CHARS = 1_000;

/** What most lines of code take of the bytes for styles: one word that is set apart, and what stands beside it. */
const STYLED_LINE_BYTES = 225;

/** By weight and grey alone: hue is for states and agents. */
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
/** Texts that people write rather than code. */
const PROSE: ReadonlySet<string> = new Set(["txt", "text", "log", "md", "markdown", "plaintext"]);
/** Before a line of a file that a tool shows with its numbers. */
const NUMBER = /^ *\d+(?:→|\t|[|:] ?)/u;

let grammars: Grammars | null = null;

/** Languages that are known, by name, tag or extension. */
function openGrammars(): Grammars {
  grammars ??= createLowlight(common);
  return grammars;
}

/** The language of a file by its name, or of a block of code by its tag; null where it is not known or none. */
export function findLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const language = FILE_NAMES[name] ?? name.slice(name.lastIndexOf(".") + 1);
  return !PROSE.has(language) && /^[\w+#-]{1,20}$/u.test(language) && openGrammars().registered(language)
    ? language
    : null;
}

/** Runs where it can be stopped: a regular expression cannot be interrupted otherwise. */
const WORK = new Script("work()");

/**
 * What is made with code set apart; where that takes too long, the same with code as plain as all else.
 *
 * @param make - is called again in that case, so it changes nothing of its caller's
 */
export function makeHighlighted<T>(make: (highlighter: Highlighter) => T): T {
  // One watch over all of a page: each takes longer than most texts do.
  const place = createContext({ work: () => make(new Highlighter(PAGE_MS)) });
  try {
    return WORK.runInContext(place, { timeout: MOST_MS }) as T; // What `work` gives.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    // Stopped at work, they may be half prepared.
    grammars = null;
    return make(new Highlighter(0));
  }
}

/** Sets code apart by weight and grey, for one page: what comes too late, or has styles of its own, stays as it is. */
export class Highlighter {
  private msLeft: number;

  constructor(msLeft: number) {
    this.msLeft = msLeft;
  }

  /**
   * Lines of code with spans for its words and comments, the first of them that have room.
   *
   * @param language - as {@link findLanguage} gives it; null leaves the lines as they are
   * @param bytes - of a page that the styles may take beside the lines
   */
  highlight(lines: readonly TextLine[], language: string | null, bytes: number): readonly TextLine[] {
    if (language === null || this.msLeft < 1) return lines;
    const plain = takePlain(lines.slice(0, Math.ceil(bytes / STYLED_LINE_BYTES)));
    const numbers = findNumbers(plain);
    const code = plain.map((line, row) => line.slice(numbers[row]?.length ?? 0)).join("\n");
    const tree = code.trim() === "" ? null : this.parse(code, language);
    if (tree === null) return lines;
    const coloured = splitLines(tree).map((spans, row) => joinLine(numbers[row] ?? "", spans));
    let room = bytes;
    return lines.map((line, row) => {
      const other = (plain[row] === line ? coloured[row] : null) ?? line;
      room -= countLineBytes(other) - countLineBytes(line);
      return room < 0 ? line : other;
    });
  }

  private parse(code: string, language: string): Tree | null {
    const start = performance.now();
    try {
      return openGrammars().highlight(language, code);
    } catch {
      // Whatever a grammar makes of a text, the text is still shown.
      return null;
    } finally {
      this.msLeft -= performance.now() - start;
    }
  }
}

/** The first lines, as far as they have no styles of their own and are not too many characters; an empty one for one too long. */
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

/** What stands before each line of a text that is numbered; nothing where it is not. */
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

/** The texts of a tree in their order, each with the style of what it stands in, line by line. */
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
