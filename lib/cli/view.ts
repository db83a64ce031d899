import { ValidationError } from "@/lib/core/domain/app-error";
import { isBucketAddress } from "@/lib/core/domain/bucket";
import {
  findBusyRoute,
  getAccountStore,
  openProvider,
  type OidcSettings,
  openTeam,
  readOidcSettings,
  readSignInWays,
} from "@/lib/people/accounts";
import { readAnnotationsState } from "@/lib/people/annotations";
import { listViews } from "@/lib/people/views";
import { closeReaders } from "@/lib/read/trial-reading";
import { serve } from "@/lib/server/serve";
import { VIEW_OPTIONS } from "@/lib/server/view-options";
import { refuseJobFolder, resolveDataFolder } from "@/lib/store/database";
import { closeSharedIndex, getSharedIndex, type IndexStatus, type OpenIndex } from "@/lib/store/indexer";
import { runWithFullVisibility } from "@/lib/store/visibility";

import { defineCommand, UsageError, parseSummation } from "./command";
import { checkFolder, withData } from "./open-folders";
import { type Terminal, makeProgressBar, warn } from "./terminal";

export const view = defineCommand({
  listed: { "view [DIR ...]": "Show jobs in the browser" },
  usage: ["assay view [DIR ...] [OPTIONS]"],
  about: "Shows the jobs below each DIR (default: the current folder) in the browser, until Ctrl-C.",
  options: VIEW_OPTIONS,
  notes:
    "Sign-in is required with --host, --allow-host or --behind-proxy, and once an account exists: see assay accounts, docs/team.md.",
  examples: ["assay view jobs", "assay view jobs --port 8080 --data ./reviews"],
  buckets: "unopened",
  async run({ values, positionals }, terminal) {
    const roots = positionals.length === 0 ? ["."] : positionals;
    for (const root of roots) if (!isBucketAddress(root)) checkFolder(root);
    const dataFolder = resolveDataFolder(withData(terminal.env, values.data));
    // Fails before anything is served, not when the first judgment is lost.
    refuseJobFolder(dataFolder);
    // The stores of this process read these variables.
    process.env["ASSAY_DATA"] = dataFolder;
    const oidc = readOidcSettings(terminal.env);
    if (oidc !== null) await checkProvider(oidc, terminal);
    const { hasPasswords } = readSignInWays(terminal.env);
    const team = await openTeam(getAccountStore(), { hasPasswords, oidc });
    const server = await serve({
      roots,
      port: parsePort(values.port),
      host: values.host,
      allowedHosts: values["allow-host"],
      team,
      nameRoute: findBusyRoute,
      isBehindProxy: values["behind-proxy"],
      basePath: values["base-path"],
      filesOrigin: values["files-origin"],
      dataFolder,
      summation: parseSummation(values.summation, terminal.env),
      // Scans the folders while the pages' code loads; without an index there would be nothing to show.
      onPortTaken: getSharedIndex,
    }).catch(async (error: unknown) => {
      await closeSharedIndex();
      throw error;
    });
    terminal.stdout.write(`Assay is at ${server.urls.join("\n        and ")}\n`);
    await tellProblems(terminal);
    const stop = showIndexProgress(terminal, await getSharedIndex());
    await server.stopped;
    stop();
    await Promise.all([closeSharedIndex(), closeReaders(), team?.flushLog()]);
    return 0;
  },
});

/**
 * Rejects a provider that differs from its settings. One that does not answer now may do so at sign-in. @throws ValidationError
 */
async function checkProvider(settings: OidcSettings, terminal: Terminal): Promise<void> {
  const probe = await openProvider(settings).probe();
  if (probe.ok) return;
  const message = `${probe.problem} ${probe.remedy}`;
  if (probe.isReached) throw new ValidationError(message, {});
  warn(terminal, message);
}

/** Prints which judgments and saved views cannot be read, since the user who starts the server may not open the pages. */
async function tellProblems(terminal: Terminal): Promise<void> {
  const states = await runWithFullVisibility(() => Promise.all([readAnnotationsState(), listViews()]));
  for (const { problem } of states) if (problem !== null) warn(terminal, problem);
}

function showIndexProgress(terminal: Terminal, index: OpenIndex): () => void {
  const bar = makeProgressBar(terminal.stderr);
  let said = "";
  const show = ({ phase, nTrialsRead, nTrialsToRead, rate, secondsLeft, failure, notice }: IndexStatus) => {
    if (phase === "reading" && nTrialsToRead > 0) bar.show(nTrialsRead, nTrialsToRead, { rate, secondsLeft });
    else bar.clear();
    const message = failure ?? notice ?? "";
    if (message !== "" && message !== said) warn(terminal, message);
    said = message;
  };
  show(index.status());
  const stop = index.subscribe(show);
  return () => {
    stop();
    bar.clear();
  };
}

/** Does not round. @throws UsageError */
function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}
