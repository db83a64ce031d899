import { describe, expect, it } from "vitest";

import { formatCsvLine } from "@/lib/core/format/csv";

import { makePrintable, makeProgressBar, writeAll } from "./terminal";
import { formatTextTable } from "./text-table";

describe("formatCsvLine", () => {
  it.each<[readonly (string | number | null)[], string]>([
    [["a", 1, null, ""], "a,1,,\r\n"],
    [['say "hi"', "a,b", "two\nlines"], '"say ""hi""","a,b","two\nlines"\r\n'],
    [["=1+1", "+x", "@y", "-z", "\tt"], "'=1+1,'+x,'@y,'-z,'\tt\r\n"],
    [["-1", "-0.5", "+1e-05", "-Infinity", -3], "-1,-0.5,+1e-05,-Infinity,-3\r\n"],
    [["=a,b"], '"\'=a,b"\r\n'],
  ])("writes %j", (fields, record) => {
    expect(formatCsvLine(fields)).toBe(record);
  });
});

describe("formatTextTable", () => {
  it("aligns columns and leaves no space at line ends", () => {
    const table = formatTextTable(
      ["job", { right: "n" }, "x"],
      [
        ["a", "10", ""],
        ["long", "9", "y"],
      ],
    );
    expect(table).toBe("job    n  x\na     10\nlong   9  y\n");
  });
});

describe("makePrintable", () => {
  it("escapes terminal controls and keeps letters of any script", () => {
    expect(makePrintable("é漢😀 \u001b[0m\r\u009b\u202e")).toBe("é漢😀 \\x1b[0m\\x0d\\x9b\\u202e");
  });
});

describe("writeAll", () => {
  it("waits for a slow reader", async () => {
    const events: string[] = [];
    const stream = {
      write: (text: string) => (events.push(`write ${text.length}`), false),
      once: (_: "drain", listener: () => void) => {
        queueMicrotask(() => {
          events.push("drain");
          listener();
        });
      },
    };
    await writeAll(stream, ["x".repeat(70_000), "y".repeat(70_000), "z"]);
    expect(events).toEqual(["write 70000", "drain", "write 70000", "drain", "write 1"]);
  });

  it.each([
    [true, '{"name":"a\\u001b]0;x\\u0007\\u009b\\u202eb"}\r\n\tfamily: 👨\u200d👩\\u000d.\n'],
    [false, '{"name":"a\u001b]0;x\u0007\u009b\u202eb"}\r\n\tfamily: 👨\u200d👩\r.\n'],
  ])("escapes terminal controls only on a terminal: %s", async (isTTY, shown) => {
    let written = "";
    const stream = { isTTY, write: (text: string) => ((written += text), true), once: () => undefined };
    await writeAll(stream, ['{"name":"a\u001b]0;x\u0007\u009b\u202eb"}\r\n', "\tfamily: 👨\u200d👩\r.\n"]);
    expect(written).toBe(shown);
  });
});

describe("makeProgressBar", () => {
  const record = (isTTY: boolean) => {
    const written: string[] = [];
    let now = 0;
    const stream = { isTTY, write: (text: string) => written.push(text) > 0, once: () => undefined };
    return { written, bar: makeProgressBar(stream, () => now), pass: (ms: number) => (now += ms) };
  };

  it("redraws rarely, and removes itself", () => {
    const { written, bar, pass } = record(true);
    bar.show(1, 4);
    pass(100);
    bar.show(2, 4);
    bar.show(3, 4);
    bar.clear();
    bar.clear();
    expect(written).toEqual(["\r\u001b[K[############------------] 2 of 4 trials", "\r\u001b[K"]);
  });

  it("is silent without a terminal", () => {
    const { written, bar, pass } = record(false);
    pass(100);
    bar.show(1, 2);
    bar.clear();
    expect(written).toEqual([]);
  });
});
