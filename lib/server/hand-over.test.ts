import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { findProjectRoot } from "../read/processes/project-root";

const HAND_OVER = pathToFileURL(join(findProjectRoot(), "lib/server/hand-over.mjs")).href;
/** Ends only when told to, with a distinct status. */
const SERVER = `
  process.on("SIGTERM", () => process.exit(7));
  setInterval(() => undefined, 1_000);
  process.stdout.write(process.argv[2] + "\\n");
`;

it("passes a signal and the arguments on to the other Node, and ends as that one ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entry = join(folder, "server.mjs");
  writeFileSync(entry, SERVER);
  const first = join(folder, "first.mjs");
  writeFileSync(
    first,
    `import { handOver } from ${JSON.stringify(HAND_OVER)};
     handOver(process.execPath, ${JSON.stringify(entry)});`,
  );
  const child = spawn(process.execPath, [first, "view"], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe("view\n");
  child.kill("SIGTERM");
  // The pipe closes only when the other Node has ended too.
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(7);
});
