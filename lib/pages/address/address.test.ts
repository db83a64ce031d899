import { describe, expect, it } from "vitest";

import { createAddress, listSearchValues, readFileSearch, toggleValue } from "./address";
import { direction, findStart, flag, name, names, number, oneOf, someOf, text, wholeFrom } from "./values";

const address = createAddress(
  {
    text,
    agents: names,
    outcomes: someOf(["pass", "fail"]),
    sort: oneOf(["task", "cost"]),
    descending: direction,
    least: number,
    page: wholeFrom(1).withDefault(1),
    isOpen: flag("1"),
    file: name,
  },
  { text: "q", agents: "agent", outcomes: "outcome", descending: "dir", isOpen: "open" },
);
const DEFAULTS = address.read({});
const read = (href: string) => address.read(listSearchValues(`http://x${href}`));

describe("an address", () => {
  it("does not write defaults", () => {
    expect(address.href("/p", DEFAULTS)).toBe("/p");
    expect(DEFAULTS).toEqual({
      text: "",
      agents: [],
      outcomes: [],
      sort: "task",
      descending: null,
      least: null,
      page: 1,
      isOpen: false,
      file: null,
    });
  });

  it("round-trips with any texts", () => {
    const hostile = [
      "a,b",
      "",
      "a & b=c#d?e+f%20",
      "\u0000\t\r\n",
      "名前 \u202e\u2028",
      "<script>'\"`",
      "__proto__",
    ];
    const values = {
      text: "x=1&y #2 50 %",
      agents: hostile,
      outcomes: ["fail", "pass"],
      sort: "cost",
      descending: false,
      least: -0.5,
      page: 3,
      isOpen: true,
      file: "a/b?c#d",
    } as const;
    expect(read(address.href("/p", values))).toEqual(values);
    expect(read(address.href("/p", { file: "a\ud800" })).file).toBe("a\ufffd");
  });

  it("keeps a list of names as repeated values, as addresses always had it", () => {
    expect(address.href("/", { text: "a b", agents: ["a", "b,c"], page: 2 })).toBe(
      "/?q=a+b&agent=a&agent=b,c&page=2",
    );
    expect(address.read({ agent: "a", outcome: ["fail", "x"] })).toMatchObject({
      agents: ["a"],
      outcomes: ["fail"],
    });
  });

  it("truncates texts, and does not parse text as a number", () => {
    expect(address.read({ q: `  ${"x".repeat(300)} ` }).text).toHaveLength(200);
    expect(
      ["", " ", "abc", "1e999", "0", "-0.5"].map((value) => address.read({ least: value }).least),
    ).toEqual([null, null, null, null, 0, -0.5]);
    expect(["0", "-1", "1.5", "x", "1e300", "7"].map((page) => address.read({ page }).page)).toEqual([
      1, 1, 1, 1, 1, 7,
    ]);
  });

  it("replaces unknown values by defaults, and names each once", () => {
    const search = {
      sort: "__proto__",
      dir: "up",
      outcome: ["pass", "maybe", "x"],
      least: "many",
      open: "yes",
      page: "0",
    };
    expect(address.read(search)).toEqual({ ...DEFAULTS, outcomes: ["pass"] });
    expect(address.listUnknown(search)).toEqual(["outcome", "sort", "dir", "least", "page", "open"]);
    const known = { q: "x".repeat(300), agent: ["", "anyone"], sort: "", dir: "asc", least: "", other: "x" };
    expect(address.listUnknown(known)).toEqual([]);
  });
});

it("refuses names and values of a file's address that its list does not know", () => {
  const read = (query: string) => readFileSearch(`http://x/a.csv?${query}`, address, ["limit"]);
  expect(read("outcome=pass&limit=5")).toEqual({ outcome: ["pass"], limit: ["5"] });
  expect(() => read("outcom=pass&outcome=maybe&cursor=1")).toThrow(/: outcom, cursor, outcome\.$/);
});

it("reads where a period starts, and nothing else", () => {
  const nowMs = Date.parse("2026-11-30T12:00:00Z");
  expect(findStart("7d", nowMs)).toBe(Date.parse("2026-11-23T12:00:00Z"));
  expect(findStart("2026-11-01", nowMs)).toBe(Date.parse("2026-11-01T00:00:00Z"));
  expect(findStart("2026-11-01T10:30:00.5Z", nowMs)).toBe(Date.parse("2026-11-01T10:30:00.500Z"));
  for (const other of [
    "",
    "d",
    "-1d",
    "12345d",
    "2026",
    "2026-13-01",
    "yesterday",
    "1e3",
    "2026-11-01T10:30",
  ])
    expect(findStart(other, nowMs), other).toBeNaN();
});

describe("filters", () => {
  it("adds and removes a value", () => {
    expect(toggleValue(["a"], "b")).toEqual(["a", "b"]);
    expect(toggleValue(["a", "b"], "a")).toEqual(["b"]);
  });
});
