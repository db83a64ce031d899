import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { NO_COUNTS, type VerdictCounts } from "@/lib/core/domain/verification";
import { describePath } from "@/lib/read/buckets";

import { parseCommandLine, UsageError } from "./command-line";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll, writeJson } from "./terminal";
import { prepareVerifyJson } from "./verify-json";
import { prepareVerifyText, VERDICT_COLUMNS } from "./verify-text";

/** Runs `assay verify`: prints recorded and recomputed figures. Returns 1 when one does not match. */
export async function runVerify(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    json: { type: "boolean" },
    all: { type: "boolean" },
    strict: { type: "boolean" },
    summation: { type: "string" },
  });
  if (positionals.length === 0) throw new UsageError("Name at least one job folder.");
  const summation = parseSummation(values.summation, terminal.env);
  const snapshot = openFolders(terminal, positionals, summation);
  if (snapshot.jobs.length === 0)
    throw new UsageError(`Found no Harbor job or ledger in ${positionals.map(describePath).join(", ")}.`);
  const counts = sumCounts(snapshot);
  if (values.json === true) await writeJson(terminal.stdout, prepareVerifyJson(snapshot, counts, summation));
  else await writeAll(terminal.stdout, prepareVerifyText(snapshot, counts, values.all === true));
  const all = sumCounts({ jobs: [...snapshot.jobs, ...snapshot.copies] });
  const nOpen = values.strict === true ? all.incomplete + all["unknown-rule"] : 0;
  return all.mismatch + nOpen > 0 ? 1 : 0;
}

function sumCounts({ jobs }: Pick<CatalogSnapshot, "jobs">): VerdictCounts {
  const sum = { ...NO_COUNTS };
  for (const { report } of jobs)
    for (const verdict of VERDICT_COLUMNS) sum[verdict] += report.counts[verdict];
  return sum;
}
