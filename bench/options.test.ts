import { describe, expect, it } from "vitest";

import { parseOptions } from "./options";

describe("options", () => {
  it("leaves harbor out unless it is asked for", () => {
    expect(parseOptions([], "/b")).toMatchObject({ sizes: [1_000, 10_000, 100_000], runs: 3 });
    expect(parseOptions([], "/b")?.parts).not.toContain("harbor");
    expect(parseOptions(["--harbor", "--only", "pages"], "/b")?.parts).toEqual(["pages", "harbor"]);
  });

  it("says what is wrong", () => {
    expect(() => parseOptions(["--only", "speed"], "/b")).toThrow('There is no part "speed"');
    expect(() => parseOptions(["--sizes", "1e3"], "/b")).toThrow("whole numbers");
  });
});
