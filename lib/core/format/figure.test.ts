import { expect, test } from "vitest";

import { formatFigure } from "./figure";

test.each([
  ["1", "1"],
  ["1.0", "1.000"],
  ["0.30000000000000004", "0.300"],
  ["Infinity", "inf"],
  ['{"a": 1}', '{"a": 1}'],
])("%s shows as %s", (text, shown) => {
  expect(formatFigure(text)).toBe(shown);
});
