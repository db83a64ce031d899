import { existsSync } from "node:fs";

import { LaunchError } from "../core/domain/launch-error.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { installWithApt, runCommand, runNode } from "./run-command.ts";

/** Chromium without a window: the same pages for a third less processor time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const SYSTEM_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Finds or installs a Chromium that starts: $ASSAY_CHROMIUM, the system's, Playwright's. @throws LaunchError `step-failed` */
export async function ensureChromium(): Promise<string> {
  const { chromium } = await import("@playwright/test");
  const candidates = [
    process.env["ASSAY_CHROMIUM"],
    HEADLESS_SHELL,
    chromium.executablePath(),
    ...SYSTEM_PATHS,
  ];
  const find = (): Promise<string | null> => findRunnable(candidates);
  const found = await find();
  if (found !== null) return found;

  const cli = `${findProjectRoot()}/node_modules/@playwright/test/cli.js`;
  const download = await runNode([cli, "install", "chromium", "--no-shell"], {
    title: "Downloading Chromium with Playwright",
    timeoutMs: 300_000,
  });
  const downloaded = await find();
  if (downloaded !== null) return downloaded;

  const apt = await installWithApt("chromium-headless-shell");
  const installed = await find();
  if (installed !== null) return installed;
  throw new LaunchError(
    "step-failed",
    `${download.output}\n${apt}\nChromium is required for the browser tests and could not be installed. Install it ` +
      `(Debian: apt-get install chromium) or set its path: ASSAY_CHROMIUM=/path/to/chromium npm test`,
  );
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
