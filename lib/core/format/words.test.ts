import { expect, it } from "vitest";

import { formatTextSource } from "./words";

it("says whose text tests were read from, each file's name once", () => {
  expect(formatTextSource([])).toBeNull();
  const files = ["verifier/test-stdout.txt", "steps/a/verifier/test-stdout.txt"];
  expect(formatTextSource(files)).toBe("read from the text of test-stdout.txt");
  expect(formatTextSource([...files, "verifier/a.log"])).toBe(
    "read from the text of test-stdout.txt and 1 other log",
  );
});
