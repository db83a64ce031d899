import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";

import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { PyNumber } from "@/lib/core/scoring";
import { parseClockTime } from "@/lib/read/schema/clock-time";

import type { ExportTable } from "./table";
import { writeParquet } from "./write-parquet";

interface Row {
  readonly name: string | null;
  readonly count: number | null;
  readonly cost: number | null;
  readonly fits: boolean | null;
  readonly at: ClockTime | null;
  readonly reward: PyNumber | null;
}

const NOTHING: Row = { name: null, count: null, cost: null, fits: null, at: null, reward: null };

const TABLE: ExportTable<Row> = {
  schema: "assay.test/1",
  list: "rows",
  prepareJson: (row) => row,
  columns: [
    { name: "name", type: "text", unit: null, description: "A name", read: (row) => row.name },
    { name: "count", type: "integer", unit: null, description: "A count", read: (row) => row.count },
    { name: "cost", type: "real", unit: "USD", description: "A cost", read: (row) => row.cost },
    { name: "fits", type: "boolean", unit: null, description: "Whether it fits", read: (row) => row.fits },
    {
      name: "at",
      textName: "at_text",
      type: "timestamp",
      unit: null,
      description: "A time",
      read: (row) => row.at,
    },
    {
      name: "reward:a.b",
      textName: "reward_text:a.b",
      type: "exact",
      unit: null,
      description: "A reward",
      read: (row) => row.reward,
    },
  ],
};

async function writeFile(
  rows: readonly Row[],
  metadata: Readonly<Record<string, string>> = {},
): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeParquet(TABLE, rows, metadata)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

async function readRows(rows: readonly Row[]): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({
    file: await writeFile(rows),
    parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
  });
}

const reward = (value: PyNumber): Row => ({ ...NOTHING, reward: value });

describe("writeParquet", () => {
  test("a missing value is null in every column, and neither 0 nor an empty text", async () => {
    const full: Row = {
      name: "",
      count: 0,
      cost: 0,
      fits: false,
      at: parseClockTime("1970-01-01T00:00:00Z"),
      reward: 0n,
    };
    expect(await readRows([NOTHING, full])).toEqual([
      {
        name: null,
        count: null,
        cost: null,
        fits: null,
        at: null,
        at_text: null,
        "reward:a.b": null,
        "reward_text:a.b": null,
      },
      {
        name: "",
        count: 0n,
        cost: 0,
        fits: false,
        at: 0n,
        at_text: "1970-01-01T00:00:00Z",
        "reward:a.b": 0,
        "reward_text:a.b": "0",
      },
    ]);
  });

  test("doubles keep every bit, and the text tells int from float", async () => {
    // Values repeat, as rewards do, so that an encoding by distinct values would be tempted to merge 0 and -0.
    const values: PyNumber[] = [
      0,
      -0,
      NaN,
      Infinity,
      -Infinity,
      0.1 + 0.2,
      5e-324,
      1,
      1n,
      true,
      2n ** 70n + 1n,
    ];
    const repeated = Array.from({ length: 40 }, () => values).flat();
    const rows = await readRows(repeated.map(reward));
    const doubles = rows.map((row) => row["reward:a.b"]);
    expect(doubles.every((value, index) => Object.is(value, Number(repeated[index])))).toBe(true);
    expect(rows.slice(0, values.length).map((row) => row["reward_text:a.b"])).toEqual([
      "0.0",
      "-0.0",
      "NaN",
      "Infinity",
      "-Infinity",
      "0.30000000000000004",
      "5e-324",
      "1.0",
      "1",
      "true",
      "1180591620717411303425",
    ]);
  });

  test("times are microseconds in UTC, and a time without a zone is no instant", async () => {
    const texts = [
      "2026-07-17T17:51:28.877433Z",
      "2026-07-17T17:51:28.5+02:00",
      "2026-07-17T17:51:28.877433",
      "0001-01-01T00:00:00Z",
    ];
    const rows = await readRows(texts.map((text) => ({ ...NOTHING, at: parseClockTime(text) })));
    expect(rows.map((row) => [row["at"], row["at_text"]])).toEqual([
      [BigInt(Date.UTC(2026, 6, 17, 17, 51, 28)) * 1000n + 877_433n, texts[0]],
      [BigInt(Date.UTC(2026, 6, 17, 15, 51, 28)) * 1000n + 500_000n, texts[1]],
      [null, texts[2]],
      [-62_135_596_800_000_000n, texts[3]],
    ]);
  });

  test("counts are whole: anything else has no place in the column, and does not break the file", async () => {
    const counts = [1, 2 ** 53 - 1, -1, 1.5, 1e300];
    const rows = await readRows(counts.map((count) => ({ ...NOTHING, count })));
    expect(rows.map((row) => row["count"])).toEqual([1n, 9_007_199_254_740_991n, -1n, null, null]);
  });

  test("many rows make several groups, in their order", async () => {
    const rows = Array.from({ length: 4_567 }, (_, index) => ({
      ...NOTHING,
      name: `row ${index} é漢😀`,
      count: index,
    }));
    const file = await writeFile(rows);
    const { row_groups: groups, num_rows: nRows } = await parquetMetadataAsync(file);
    expect(groups.length).toBeGreaterThan(1);
    expect(nRows).toBe(4_567n);
    const read: Record<string, unknown>[] = await parquetReadObjects({ file });
    expect(read.map((row) => [row["name"], row["count"]])).toEqual(
      rows.map(({ name, count }) => [name, BigInt(count)]),
    );
  });

  test("long texts make smaller groups", async () => {
    const rows = Array.from({ length: 12 }, () => ({ ...NOTHING, name: "x".repeat(1_000_000) }));
    const { row_groups: groups } = await parquetMetadataAsync(await writeFile(rows));
    expect(groups.map(({ num_rows: nRows }) => nRows)).toEqual([4n, 4n, 4n]);
  });

  test("a file without rows has its columns, types and description", async () => {
    const {
      schema,
      num_rows: nRows,
      key_value_metadata: pairs,
    } = await parquetMetadataAsync(
      await writeFile([], { "assay.address": "/jobs/a/trials.parquet?outcome=passed" }),
    );
    expect(nRows).toBe(0n);
    expect(
      schema.slice(1).map(({ name, type, logical_type: logical }) => [name, type, logical?.type]),
    ).toEqual([
      ["name", "BYTE_ARRAY", "STRING"],
      ["count", "INT64", undefined],
      ["cost", "DOUBLE", undefined],
      ["fits", "BOOLEAN", undefined],
      ["at", "INT64", "TIMESTAMP"],
      ["at_text", "BYTE_ARRAY", "STRING"],
      ["reward:a.b", "DOUBLE", undefined],
      ["reward_text:a.b", "BYTE_ARRAY", "STRING"],
    ]);
    expect(schema[5]?.logical_type).toEqual({ type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" });
    const values = new Map(pairs?.map(({ key, value }) => [key, value]));
    expect(values.get("assay.schema")).toBe("assay.test/1");
    expect(values.get("assay.address")).toBe("/jobs/a/trials.parquet?outcome=passed");
    expect(values.get("assay.columns")).toContain(
      '{"name":"cost","type":"real","unit":"USD","description":"A cost"}',
    );
  });
});
