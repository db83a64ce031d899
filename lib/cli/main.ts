#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Older Nodes lack what the program uses, and crash on the database driver without a word. */
const OLDEST_NODE = 24;
const SIGPIPE_EXIT_CODE = 141;

/** The Node that is installed beside Assay's packages, looked for from this file upwards; null when there is none. */
function findPinnedNode(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", ".bin", "node");
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return null;
  }
}

function runWithPinnedNode(): number {
  const node = findPinnedNode();
  if (node === null) {
    process.stderr.write(
      `assay: Node ${OLDEST_NODE} or newer is needed, this is ${process.versions.node}. Install it, or run npm install in Assay's folder.\n`,
    );
    return 2;
  }
  const { status, error } = spawnSync(node, process.argv.slice(1), { stdio: "inherit" });
  if (error !== undefined) process.stderr.write(`assay: ${node} does not start: ${error.message}\n`);
  return status ?? 2;
}

async function runHere(): Promise<number> {
  // A reader such as `head` may close the pipe early; that ends the work and is no failure worth a word.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(SIGPIPE_EXIT_CODE);
    });
  }
  // Loaded only now, so that an old Node never sees it.
  const { runCli } = await import("./run-cli");
  return runCli(process.argv.slice(2), process);
}

const isOldNode = Number(process.versions.node.split(".")[0]) < OLDEST_NODE;
process.exitCode = isOldNode ? runWithPinnedNode() : await runHere();
