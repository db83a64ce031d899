/** Takes the pictures of README.md from the sample jobs: `npm run screenshots`, after `npm run build`. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { chromium } from "@playwright/test";

const PROJECT = join(import.meta.dirname, "..");

const PICTURES = [
  {
    file: "compare.png",
    colorScheme: "light",
    path: "/compare?g=tb2-baseline:lamp__halyard-2__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix",
  },
  { file: "trial.png", colorScheme: "dark", path: "/jobs/tb2-baseline?tab=trials&outcome=failed&agent=lamp" },
] as const;

const data = mkdtempSync(join(tmpdir(), "assay-screenshots-"));
const samples = join(PROJECT, ".assay", "sample-jobs");
const program = join(PROJECT, "dist", "cli.js");
// Pictures must not show reading progress.
spawnSync(process.execPath, [program, "index", "--derived-details", "--data", data, samples], {
  stdio: "ignore",
});
const server = spawn(process.execPath, [program, "view", "--port", "0", "--data", data, samples], {
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await chromium.launch({
  executablePath: process.env["ASSAY_CHROMIUM"] ?? chromium.executablePath(),
  args: ["--no-sandbox"],
});
try {
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  const url = /http:\S+/.exec(line)?.[0] ?? "";
  for (const { file, colorScheme, path } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await page.goto(url + path);
    if (file === "trial.png") await page.getByRole("row").last().getByRole("link").first().click();
    await (
      file === "trial.png"
        ? page.getByRole("button", { name: "Fail" })
        : page.getByRole("region", { name: "Tasks and attempts" })
    ).waitFor();
    await page.getByText("up to date").waitFor({ state: "attached" });
    await page.screenshot({ path: join(PROJECT, "docs", file) });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill();
  await once(server, "exit");
  rmSync(data, { recursive: true });
}
