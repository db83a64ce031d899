import { openAnnotationStore, resolveAnnotationTarget, prepareExport } from "@/lib/annotations";

import { parseCommandLine, UsageError } from "./command-line";
import { checkFolder, withData } from "./open-folders";
import { makePrintable, type Terminal, writeAll } from "./terminal";

/** `assay annotations export`: judgments as JSON Lines. Gives 1 when some of what is stored cannot be read, which it says. */
export async function runAnnotations(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    data: { type: "string" },
    history: { type: "boolean" },
  });
  const [verb, second] = positionals;
  if (verb !== "export" || second !== undefined)
    throw new UsageError("The only command here is: assay annotations export.");
  if (values.data !== undefined) checkFolder(values.data);
  const store = openAnnotationStore(resolveAnnotationTarget(withData(terminal.env, values.data)));
  try {
    const { lines, problem } = await prepareExport(store, { history: values.history === true });
    await writeAll(terminal.stdout, lines);
    if (problem === null) return 0;
    terminal.stderr.write(`assay: ${makePrintable(problem)}\n`);
    return 1;
  } finally {
    await store.close();
  }
}
