import { expect, it } from "vitest";

import { formatTask, formatTextSource } from "./words";

it("says whose text tests were read from, each file's name once", () => {
  expect(formatTextSource([])).toBeNull();
  const files = ["verifier/test-stdout.txt", "steps/a/verifier/test-stdout.txt"];
  expect(formatTextSource(files)).toBe("read from the text of test-stdout.txt");
  expect(formatTextSource([...files, "verifier/a.log"])).toBe(
    "read from the text of test-stdout.txt and 1 other log",
  );
});

it("names a task by its trial if the name is empty", () => {
  expect(formatTask({ taskName: "a", trialName: "a__x" })).toBe("a");
  expect(formatTask({ taskName: "", trialName: "a__x" })).toBe("a__x (no task name)");
  expect(formatTask({ taskName: " " })).toBe("(no task name)");
});
