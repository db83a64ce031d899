import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

import { LaunchError } from "../core/domain/launch-error.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { installWithApt, runCommand, runNode } from "./run-command.ts";

/** Chromium without a window: the same pages for a third less processor time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const SYSTEM_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Finds or installs a Chromium that starts: $ASSAY_CHROMIUM, the system's, Playwright's. @throws LaunchError `step-failed` */
export async function ensureChromium(): Promise<string> {
  const { chromium } = await import("@playwright/test");
  const own = process.env["ASSAY_CHROMIUM"];
  const candidates = [own, HEADLESS_SHELL, chromium.executablePath(), ...SYSTEM_PATHS];
  const download = async (): Promise<string> => {
    const cli = `${findProjectRoot()}/node_modules/@playwright/test/cli.js`;
    const title = "Downloading Chromium with Playwright";
    const options = { title, timeoutMs: 300_000 };
    return (await runNode([cli, "install", "chromium", "--no-shell"], options)).output;
  };
  return ensure(
    () => findRunnable(candidates),
    [download, () => installWithApt("chromium-headless-shell")],
    "Chromium is required for the browser tests and could not be installed. Install it (Debian: apt-get install chromium) or " +
      "set its path: ASSAY_CHROMIUM=/path/to/chromium npm test",
  );
}

/** Finds a program, or installs it in the first way that works. @param advice - follows the output if all ways fail */
async function ensure(
  find: () => Promise<string | null>,
  installations: readonly (() => Promise<string>)[],
  advice: string,
): Promise<string> {
  const found = await find();
  if (found !== null) return found;
  let output = "";
  for (const install of installations) {
    output += `${await install()}\n`;
    const installed = await find();
    if (installed !== null) return installed;
  }
  throw new LaunchError("step-failed", `${output}${advice}`);
}

/** A browser with missing libraries exists but cannot even report its version. */
async function findRunnable(candidates: readonly (string | undefined)[]): Promise<string | null> {
  for (const path of candidates) {
    if (path === undefined || !existsSync(path)) continue;
    const { code } = await runCommand(path, ["--version"], {
      title: "Checking Chromium",
      timeoutMs: 30_000,
    });
    if (code === 0) return path;
  }
  return null;
}

const DEBIAN = "/usr/lib/postgresql";

/** Finds or installs PostgreSQL's programs: $ASSAY_POSTGRES_BIN, Debian's newest, the PATH. @throws LaunchError `step-failed` */
export function ensurePostgres(): Promise<string> {
  return ensure(
    () => Promise.resolve(findPostgres()),
    [() => installWithApt("postgresql")],
    "PostgreSQL is required for the tests and could not be installed. Install it (Debian: apt-get install postgresql) or set " +
      "the folder of its initdb: ASSAY_POSTGRES_BIN=/path/to/bin npm test",
  );
}

function findPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const folders = [
    process.env["ASSAY_POSTGRES_BIN"] ?? "",
    ...newestFirst.map((version) => join(DEBIAN, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  const isServer = (folder: string): boolean =>
    folder !== "" && existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"));
  return folders.find(isServer) ?? null;
}
