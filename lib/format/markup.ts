/** Every run of line ends, tabs and other control characters as one space: a cell is one line. */
function flatten(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** A text as a cell of a Markdown table: nothing in it is markup, HTML or the end of the cell. */
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

/** A text as LaTeX prints it: no character of it is a command. Ligatures of two hyphens or quotes are broken. */
export function escapeLatex(text: string): string {
  return flatten(text)
    .replaceAll(/[\\~^<>|"{}$&#_%\u2013\u2014\u2212\u00d7\u00b1\u2026]/g, (char) => LATEX[char] ?? char)
    .replaceAll(/([`'?!])(?=[`'])/g, "$1{}");
}

/** How a column of a table is aligned. */
export interface MarkupColumn {
  readonly heading: string;
  readonly isNumeric: boolean;
}

/** A table as Markdown with a line for its note, each line ended by `\n`. */
export function formatMarkdownTable(
  columns: readonly MarkupColumn[],
  rows: readonly (readonly string[])[],
  note: string,
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |\n`;
  const rule = `|${columns.map(({ isNumeric }) => (isNumeric ? "---:" : "---")).join("|")}|\n`;
  return `${line(columns.map(({ heading }) => heading))}${rule}${rows.map(line).join("")}\n${escapeMarkdown(note)}\n`;
}

/** A table as LaTeX that needs no package, with its note as a comment below. */
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
