import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { isBucketAddress } from "../core/domain/bucket.ts";
import { LaunchError } from "../core/domain/launch-error.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import {
  buildPrograms,
  buildWhatChanged,
  CLI_FILE,
  SAMPLE_FOLDER,
  PROGRAMS_FOLDER,
  writeSampleJobs,
} from "./build.ts";
import { DEFAULT_PORT } from "./http-server.ts";
import { DEFAULT_HOST } from "./serve.ts";
import { VIEW_OPTIONS } from "./view-options.ts";

function readArguments(argv: readonly string[]) {
  // npm keeps the caller's folder in INIT_CWD.
  const from =
    process.env["npm_lifecycle_event"] === undefined
      ? process.cwd()
      : (process.env["INIT_CWD"] ?? process.cwd());
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...VIEW_OPTIONS, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
    tokens: true,
    strict: false,
  });
  const folders: string[] = [];
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional")
      folders.push(isBucketAddress(token.value) ? token.value : resolve(from, token.value));
    else if (token.kind === "option")
      rest.push(token.rawName, ...(token.value === undefined ? [] : [token.value]));
  }
  return { folders, rest };
}

async function start(argv: readonly string[]): Promise<void> {
  if (argv.includes("--build-only")) return buildWhatChanged();
  const isDev = argv.includes("--dev");
  const { folders, rest } = readArguments(argv.filter((argument) => argument !== "--dev"));
  checkFolders(folders);
  const isHelp = rest.includes("--help") || rest.includes("-h");
  await (isDev || isHelp ? buildPrograms() : buildWhatChanged());
  if (folders.length === 0 && !isHelp) await writeSampleJobs();
  const roots = folders.length === 0 ? [SAMPLE_FOLDER] : folders;
  if (isDev) {
    develop(roots);
    return;
  }
  process.argv.splice(1, process.argv.length, CLI_FILE, "view", ...rest, ...roots);
  await import(pathToFileURL(CLI_FILE).href);
}

/** Reports a typing mistake before a minute of building. */
function checkFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    if (!isBucketAddress(folder) && !existsSync(folder))
      throw new LaunchError("folder-missing", `Folder ${folder} does not exist.`);
  }
}

function develop(roots: readonly string[]): void {
  const next = join(findProjectRoot(), "node_modules", "next", "dist", "bin", "next");
  const child = spawn(
    process.execPath,
    [next, "dev", "--hostname", DEFAULT_HOST, "--port", String(DEFAULT_PORT)],
    {
      cwd: findProjectRoot(),
      stdio: "inherit",
      env: {
        ...process.env,
        NEXT_TELEMETRY_DISABLED: "1",
        ASSAY_ROOTS: JSON.stringify(roots),
        ASSAY_PROGRAMS: PROGRAMS_FOLDER,
      },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
}

try {
  await start(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
