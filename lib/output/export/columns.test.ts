import { expect, test } from "vitest";

import { type ExportTable, JOB_TABLE, makeTrialTable } from "./index";

function describeTable<Row>({ schema, columns }: ExportTable<Row>): string {
  const lines = columns.map(
    ({ name, type, unit, description }) =>
      `- \`${name}\` (${unit === null ? type : `${type}, ${unit}`}): ${description}`,
  );
  return [`## \`${schema}\``, "", ...lines, ""].join("\n");
}

// `npx vitest run lib/output/export/columns.test.ts -u` writes the document.
test("the document of the columns names every column of downloads", async () => {
  const tables = [describeTable(JOB_TABLE), describeTable(makeTrialTable([]))];
  await expect(["# Columns of downloads", "", ...tables].join("\n")).toMatchFileSnapshot("columns.md");
});
