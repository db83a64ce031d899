import { refuseJobFolder, resolveDataFolder } from "@/lib/database";
import { serve } from "@/lib/launch/serve";

import { parseCommandLine, parsePort } from "./command-line";
import { checkFolder, parseSummation } from "./open-folders";
import type { Terminal } from "./terminal";

/** `assay view`: serves the pages until it is interrupted. */
export async function runView(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    port: { type: "string" },
    host: { type: "string" },
    data: { type: "string" },
    summation: { type: "string" },
  });
  const roots = positionals.length === 0 ? ["."] : positionals;
  for (const root of roots) checkFolder(root);
  const dataFolder = resolveDataFolder({
    ...terminal.env,
    ...(values.data === undefined ? {} : { ASSAY_DATA: values.data }),
  });
  // Said before anything is served, and not when the first judgment is lost.
  refuseJobFolder(dataFolder);
  const server = await serve({
    roots,
    port: parsePort(values.port),
    host: values.host,
    dataFolder,
    summation: parseSummation(values.summation, terminal.env),
  });
  terminal.stdout.write(`Assay is at ${server.url}\n`);
  await server.stopped;
  return 0;
}
