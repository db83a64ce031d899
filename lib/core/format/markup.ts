function flatten(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

export function escapeMarkdown(text: string): string {
  return flatten(text).replaceAll(/[\\`*_[\]<>|~$&#]/g, (char) => `\\${char}`);
}

const LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\textquotedbl{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  _: "\\_",
  "%": "\\%",
  "\u2013": "--",
  "\u2014": "---",
  "\u2212": "$-$",
  "\u00d7": "$\\times$",
  "\u00b1": "$\\pm$",
  "\u2026": "\\ldots{}",
};

/** Escapes every command, and breaks ligatures of two hyphens or quotes. */
export function escapeLatex(text: string): string {
  return flatten(text)
    .replaceAll(/[\\~^<>|"{}$&#_%\u2013\u2014\u2212\u00d7\u00b1\u2026]/g, (char) => LATEX[char] ?? char)
    .replaceAll(/([`'?!])(?=[`'])/g, "$1{}");
}

interface MarkupColumn {
  readonly heading: string;
  readonly isNumeric: boolean;
}

export function formatMarkdownTable(
  columns: readonly MarkupColumn[],
  rows: readonly (readonly string[])[],
  note: string,
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |\n`;
  const rule = `|${columns.map(({ isNumeric }) => (isNumeric ? "---:" : "---")).join("|")}|\n`;
  return `${line(columns.map(({ heading }) => heading))}${rule}${rows.map(line).join("")}\n${escapeMarkdown(note)}\n`;
}

export function formatLatexTable(
  columns: readonly MarkupColumn[],
  rows: readonly (readonly string[])[],
  note: string,
): string {
  const line = (cells: readonly string[]) => `${cells.map(escapeLatex).join(" & ")} \\\\\n`;
  return [
    `\\begin{tabular}{${columns.map(({ isNumeric }) => (isNumeric ? "r" : "l")).join("")}}\n\\hline\n`,
    line(columns.map(({ heading }) => heading)),
    "\\hline\n",
    ...rows.map(line),
    "\\hline\n\\end{tabular}\n",
    `% ${flatten(note)}\n`,
  ].join("");
}
