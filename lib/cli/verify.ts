import { parseCommandLine } from "./command-line";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll, writeJson } from "./terminal";
import { UsageError } from "./usage-error";
import { sumCounts } from "./verdict-counts";
import { prepareVerifyJson } from "./verify-json";
import { prepareVerifyText } from "./verify-text";

/** `assay verify`: recorded figures beside recomputed ones; 1 when one does not match. */
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
    throw new UsageError(`Found no Harbor job or ledger in ${positionals.join(", ")}.`);
  if (values.json === true) await writeJson(terminal.stdout, prepareVerifyJson(snapshot, summation));
  else await writeAll(terminal.stdout, prepareVerifyText(snapshot, values.all === true));
  const counts = sumCounts(snapshot);
  return counts.mismatch > 0 || (values.strict === true && counts.incomplete > 0) ? 1 : 0;
}
