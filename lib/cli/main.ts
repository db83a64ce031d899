#!/usr/bin/env node
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { handOver } from "@/lib/launch/hand-over.mjs";
import { FRUGAL_MALLOC } from "@/lib/domain/frugal-malloc";

/** Older Nodes lack what the program uses, and crash on the database driver without a word. */
const OLDEST_NODE = [22, 12] as const;
const SIGPIPE_EXIT_CODE = 141;

/** The Node that is installed beside Assay's packages, looked for from this file upwards; null when there is none. */
function findPinnedNode(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", ".bin", "node");
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return null;
  }
}

function runWithPinnedNode(): void {
  const node = findPinnedNode();
  if (node === null) {
    const program = fileURLToPath(import.meta.url);
    // A checkout brings a Node of its own, a package does not.
    const isCheckout = existsSync(join(dirname(program), "..", "package-lock.json"));
    const orInstall = isCheckout ? ", or run npm ci in Assay's folder" : "";
    process.stderr.write(
      `assay: Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.versions.node}. Install it${orInstall}.\n`,
    );
    process.exitCode = 2;
  } else {
    handOver(node, fileURLToPath(import.meta.url));
  }
}

/** V8 takes it only at its start. A server of 100,000 trials is some 60 MB smaller with it, and as fast. */
const YOUNG_GENERATION = "--max-semi-space-size=4";

/** Begins again as the same process with less room for what is young and for threads, where the system can do that; what somebody chose stays. */
function startSmall(): void {
  const chosen = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""];
  const young = chosen.some((option) => option.includes("--max-semi-space-size")) ? [] : [YOUNG_GENERATION];
  const isSmall = young.length === 0 && Object.keys(FRUGAL_MALLOC).every((name) => name in process.env);
  if (process.argv[2] !== "view" || isSmall) return;
  const args = [process.execPath, ...young, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...FRUGAL_MALLOC, ...process.env });
}

async function runHere(): Promise<void> {
  startSmall();
  // A reader such as `head` may close the pipe early; that ends the work and is no failure worth a word.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(SIGPIPE_EXIT_CODE);
    });
  }
  // Loaded only now, so that an old Node never sees it.
  const { runCli } = await import("./run-cli");
  process.exitCode = await runCli(process.argv.slice(2), process);
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) runWithPinnedNode();
else await runHere();
