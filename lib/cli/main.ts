#!/usr/bin/env node
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { handOver } from "@/lib/server/hand-over.mjs";

/** Older Node versions lack required features, and crash without a message on the database driver. */
const OLDEST_NODE = [22, 12] as const;
const SIGPIPE_EXIT_CODE = 141;

/** Finds the Node installed with Assay's packages, upwards from this file; null when there is none. */
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
    // A checkout brings its own Node, a package does not.
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

async function runHere(): Promise<void> {
  // A reader such as `head` may close the pipe early; that ends the work without an error message.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(SIGPIPE_EXIT_CODE);
    });
  }
  // Loaded here, so that an old Node never parses it.
  const { runCli } = await import("./run-cli");
  process.exitCode = await runCli(process.argv.slice(2), process);
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) runWithPinnedNode();
else await runHere();
