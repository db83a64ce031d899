import { exportJsonl, openAnnotationStore } from "@/lib/annotations";

import { parseCommandLine } from "./command-line";
import { checkFolder } from "./open-folders";
import { type Terminal, writeAll } from "./terminal";
import { UsageError } from "./usage-error";

/** `assay annotations export`: judgments as JSON Lines. */
export async function runAnnotations(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    data: { type: "string" },
    history: { type: "boolean" },
  });
  const [verb, second] = positionals;
  if (verb !== "export" || second !== undefined)
    throw new UsageError("The only command here is: assay annotations export.");
  if (values.data !== undefined) checkFolder(values.data);
  const environment = values.data === undefined ? terminal.env : { ...terminal.env, ASSAY_DATA: values.data };
  const store = openAnnotationStore({ environment });
  try {
    await writeAll(terminal.stdout, exportJsonl(store, { history: values.history === true }));
  } finally {
    await store.close();
  }
  return 0;
}
