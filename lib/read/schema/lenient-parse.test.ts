import { describe, expect, it } from "vitest";
import { z } from "zod";

import { parseLeniently } from "./lenient-parse";
import type { PlainValue } from "./plain-value";

const task = z.object({ name: z.string(), weight: z.number().nullish() });
const schema = z.object({ owner: z.string().nullish(), tasks: z.array(task).nullish() });

describe("parseLeniently", () => {
  it("takes out the wrong entries of a list and no others", () => {
    const plain = {
      tasks: [5, null, { name: "a" }, { weight: 1 }, { name: "b", weight: "x" }, "c", { name: "d" }],
    };
    const { value } = parseLeniently(schema, plain);
    expect(value?.tasks).toEqual([{ name: "a" }, { name: "b" }, { name: "d" }]);
  });

  it("keeps the neighbours of an entry that is wrong in two ways", () => {
    const pair = z.object({ pairs: z.array(z.object({ x: z.number(), y: z.number() })) });
    const { value } = parseLeniently(pair, { pairs: [{}, { x: 1, y: 2 }, { x: 3, y: 4 }] });
    expect(value?.pairs).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ]);
  });

  it("reports thousands of wrong entries as one problem, and at once", () => {
    const plain: PlainValue = { owner: 7, tasks: Array.from({ length: 20_000 }, () => 5) };
    const { value, problems } = parseLeniently(schema, plain);
    expect(value).toEqual({ tasks: [] });
    expect(problems.map(({ field, detail }) => `${field}: ${detail}`)).toEqual([
      "owner: Invalid input: expected string, received number",
      "tasks.0: Invalid input: expected object, received number; the same for 19999 more",
    ]);
  });

  it("gives nothing when a required field is wrong", () => {
    expect(parseLeniently(task, { name: 5 }).value).toBeNull();
    expect(parseLeniently(schema, [])).toMatchObject({ value: null, problems: [{ field: "" }] });
  });
});
