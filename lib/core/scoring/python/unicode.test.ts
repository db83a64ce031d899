import { expect, it } from "vitest";

import { joinPythonWords, stripPythonSpace, toAsciiNumberText } from "./unicode";

it("turns digits of any script into ASCII and foreign white space into spaces", () => {
  expect(toAsciiNumberText("\u2003\u0661\uff12\u{1d7db}\u0085")).toBe("123");
  expect(toAsciiNumberText("1\u00b2")).toBe("1?");
  expect(toAsciiNumberText("1\u{1f600}")).toBe("1?");
  expect(toAsciiNumberText("\u001c1")).toBe("\u001c1");
});

it("strips and joins by what str calls white space, separators of information included", () => {
  expect(stripPythonSpace("\u001c\u00a0 a b\u3000\n")).toBe("a b");
  expect(stripPythonSpace("\u200ba\ufeff")).toBe("\u200ba\ufeff");
  expect(joinPythonWords(" a \u001f\u2028 b\t", "_")).toBe("a_b");
});
