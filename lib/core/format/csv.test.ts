import { expect, test } from "vitest";

import { formatCsvLine } from "./csv";

test("quotes only what needs it, and leaves a missing value empty", () => {
  expect(formatCsvLine(["a", null, 0, 'say "x"', "b,c", "two\nlines"])).toBe(
    'a,,0,"say ""x""","b,c","two\nlines"\r\n',
  );
});

test("text from a job folder is never a formula", () => {
  expect(formatCsvLine(["=1+1", "@x", "-task", "-0.5", "-1e-07", -3])).toBe(
    "'=1+1,'@x,'-task,-0.5,-1e-07,-3\r\n",
  );
  for (const before of ["\t", "\r", "\n", "\0", " ", "\u00a0", "\ufeff"])
    expect(formatCsvLine([`${before}=1`])).toMatch(/^"?'/);
  expect(formatCsvLine(["＝1", "＠x"])).toBe("'＝1,'＠x\r\n");
});

test("a field of very many digits takes no time with their square", () => {
  const digits = "1".repeat(1_000_000);
  expect(formatCsvLine([`-${digits}x`, `-${digits}`])).toBe(`'-${digits}x,-${digits}\r\n`);
});
