import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { dumpPythonJson, parsePythonJson, type PyValue } from "@/lib/core/scoring";

import { parseTrialText, prepareTrialDocument } from "./trial-document";

function parseBoth(text: string): [PyValue | undefined, PyValue | undefined] {
  const quick = parseTrialText(text)?.exact.get("verifier_result");
  return [quick, prepareTrialDocument(parsePythonJson(text))?.exact.get("verifier_result")];
}

const dump = (value: PyValue | undefined) => (value === undefined ? "none" : dumpPythonJson(value));

describe("parseTrialText", () => {
  it("finds digits that are too many wherever they are, and reads the most that Python takes", () => {
    for (let before = 0; before < 9_000; before += 97) {
      const write = (digits: number) =>
        `{"trial_name": "t", "verifier_result": null, "z": "${"z".repeat(before)}", "n": ${"7".repeat(digits)}, "m": [1, 22, 333]}`;
      expect(parseTrialText(write(4_301))).toBeNull();
      expect(parseTrialText(write(4_300))).not.toBeNull();
    }
  });

  it("keeps ints, floats and long numbers apart", () => {
    const text =
      '{"trial_name": "t", "verifier_result" : \n {"rewards": {"a": 1, "b": 1.0, "c}\\"": 12345678901234567890, "d": -0.0}}}';
    const [quick] = parseBoth(text);
    expect(dump(quick)).toBe('{"rewards": {"a": 1, "b": 1.0, "c}\\"": 12345678901234567890, "d": -0.0}}');
  });

  it.each([
    ["NaN", '{"trial_name": "t", "verifier_result": {"rewards": {"r": NaN}}}'],
    ["steps", '{"trial_name": "t", "verifier_result": {"rewards": {}}, "step_results": []}'],
    [
      "a second key elsewhere",
      '{"trial_name": "t", "x": {"verifier_result": {"rewards": {"r": 1}}}, "verifier_result": {"rewards": {"r": 0}}}',
    ],
    [
      "a doubled key",
      '{"trial_name": "t", "verifier_result": {"rewards": {"r": 1}}, "verifier_result": {"rewards": {"r": 0}}}',
    ],
    [
      "an escaped key",
      '{"trial_name": "t", "x": {"verifier_result": {"rewards": {"r": 1}}}, "verifier\\u005fresult": {"rewards": {"r": 0}}}',
    ],
    ["a result that is no object", '{"trial_name": "t", "verifier_result": [1]}'],
    ["another document", '{"stats": {}, "verifier_result": {}}'],
    ["a torn file", '{"trial_name": "t", "verifier_result": {"rewards"'],
    ["a list", "[]"],
    [
      "more levels than Python reads",
      `{"trial_name": "t", "verifier_result": null, "config": {"agent": {"kwargs": ${"[".repeat(1001)}${"]".repeat(1001)}}}}`,
    ],
    ["an int that Python refuses", `{"trial_name": "t", "x": [{"y": -${"9".repeat(4301)}}]}`],
    [
      "one behind text",
      `{"trial_name": "${"t".repeat(2000)}", "x": ${"9".repeat(4301)}, "y": "${"t".repeat(900)}"}`,
    ],
  ])("leaves %s to the exact parser", (_, text) => {
    expect(parseTrialText(text)).toBeNull();
  });

  it.each([
    "1",
    "0",
    "-0",
    "-3",
    "1.0",
    "0.30000000000000004",
    "-0.0",
    "123456789012345",
    "1234567890123456789",
    "1e3",
    "1E-7",
  ])("reads the sole reward %s as the exact parser does", (number) => {
    for (const space of ["", " ", "\n    "]) {
      const rewards = `{${space}"rewards":${space}{${space}"reward":${space}${number}${space}}${space}}`;
      const [quick, exact] = parseBoth(`{"trial_name": "t", "verifier_result": ${rewards}}`);
      expect(quick).toBeDefined();
      expect(dump(quick)).toBe(dump(exact));
    }
  });

  it.each(["01", "1.", ".5", "+1", "0x1", "1_0", "--1"])("refuses the number %s", (number) => {
    expect(
      parseTrialText(`{"trial_name": "t", "verifier_result": {"rewards": {"reward": ${number}}}}`),
    ).toBeNull();
  });

  it("takes no other key's end for the key", () => {
    const text =
      '{"trial_name": "t", "modifier_result": {"rewards": {"r": 1}}, "verifier_result": {"rewards": {"r": 1.0}}}';
    expect(parseTrialText(text)).toBeNull();
    expect(parseTrialText(text.replace("modifier_result", "other"))?.exact.get("verifier_result")).toEqual(
      new Map([["rewards", new Map([["r", 1]])]]),
    );
  });

  it("is not misled by text that looks like the key", () => {
    const trap = JSON.stringify({
      trial_name: '"verifier_result": {"rewards": {"r": 9}}',
      verifier_result: { rewards: { r: 0.5 } },
    });
    const [quick, exact] = parseBoth(trap);
    expect(dump(quick)).toBe('{"rewards": {"r": 0.5}}');
    expect(dump(quick)).toBe(dump(exact));
  });

  it("tells a missing result from an empty one", () => {
    expect(parseTrialText('{"trial_name": "t", "agent_info": {}}')?.exact.has("verifier_result")).toBe(false);
    expect(dump(parseBoth('{"trial_name": "t", "verifier_result": {}}')[0])).toBe("{}");
  });

  it("agrees with the exact parser whenever it answers", () => {
    const noise = fc.oneof(
      fc.string(),
      fc.constantFrom("verifier_result", '"verifier_result":{}', "}\\"),
      fc.integer(),
    );
    const rewards = fc.dictionary(
      fc.string(),
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
    );
    const documents = fc.record({
      a: noise,
      verifier_result: fc.record({ rewards, note: noise }),
      b: fc.dictionary(noise.map(String), noise),
    });
    fc.assert(
      fc.property(documents, (document) => {
        const [quick, exact] = parseBoth(JSON.stringify({ trial_name: "t", ...document }, null, 1));
        return quick === undefined || dump(quick) === dump(exact);
      }),
      { numRuns: 2000 },
    );
  });
});
