#!/usr/bin/env node
import { runCli } from "./run-cli";

const SIGPIPE_EXIT_CODE = 141;

// A reader such as `head` may close the pipe early; that ends the work and is no failure worth a word.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(SIGPIPE_EXIT_CODE);
  });
}

process.exitCode = await runCli(process.argv.slice(2), process);
