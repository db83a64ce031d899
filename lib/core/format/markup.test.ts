import { expect, test } from "vitest";

import { escapeLatex, escapeMarkdown, formatLatexTable, formatMarkdownTable } from "./markup";

test("a name is one cell of Markdown and nothing else", () => {
  expect(escapeMarkdown("a|b\n| c | d |")).toBe("a\\|b \\| c \\| d \\|");
  expect(escapeMarkdown("<img src=x onerror=y> [l](h) `c` **b** gpt_5 \\")).toBe(
    "\\<img src=x onerror=y\\> \\[l\\](h) \\`c\\` \\*\\*b\\*\\* gpt\\_5 \\\\",
  );
});

test("LaTeX prints every character of a name and executes nothing", () => {
  expect(escapeLatex("\\input{/etc/passwd}")).toBe("\\textbackslash{}input\\{/etc/passwd\\}");
  expect(escapeLatex("a_b & 95 % #1 $x^2$ ~")).toBe(
    "a\\_b \\& 95 \\% \\#1 \\$x\\textasciicircum{}2\\$ \\textasciitilde{}",
  );
  expect(escapeLatex("1–3\n\\end{tabular} `` ''")).toBe("1--3 \\textbackslash{}end\\{tabular\\} `{}` '{}'");
});

test("tables align numbers at the right and carry their note", () => {
  const columns = [
    { heading: "Rank", isNumeric: true },
    { heading: "Group", isNumeric: false },
  ];
  const rows = [["1–3", "a & b"]];
  expect(formatMarkdownTable(columns, rows, "Of 95 %.")).toBe(
    "| Rank | Group |\n|---:|---|\n| 1–3 | a \\& b |\n\nOf 95 %.\n",
  );
  expect(formatLatexTable(columns, rows, "Of 95 %.\n\\input{x}")).toBe(
    [
      "\\begin{tabular}{rl}",
      "\\hline",
      "Rank & Group \\\\",
      "\\hline",
      "1--3 & a \\& b \\\\",
      "\\hline",
      "\\end{tabular}",
      "% Of 95 %. \\input{x}",
      "",
    ].join("\n"),
  );
});
