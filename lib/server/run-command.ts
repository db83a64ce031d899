import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

import { LaunchError } from "../core/domain/launch-error.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { formatElapsed, showProgress } from "./progress.mjs";

interface CommandOptions {
  readonly title: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

/** Returns the exit code; 1 if a signal ended the program or it could not start. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions) {
  const progress = showProgress(options.title);
  const child = spawn(command, args, {
    cwd: findProjectRoot(),
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: "1",
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
      ...options.env,
    },
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  }
  const stop = (): void => void child.kill();
  process.once("exit", stop);
  const code = await new Promise<number>((settle) => {
    child.on("error", (error) => {
      output += `${command}: ${error.message}\n`;
      settle(1);
    });
    child.on("close", (exitCode) => settle(exitCode ?? 1));
  });
  process.off("exit", stop);
  progress.stop();
  return { code, output, elapsedMs: progress.elapsedMs() };
}

export function runNode(args: readonly string[], options: CommandOptions) {
  return runCommand(process.execPath, args, options);
}

/** @throws LaunchError `step-failed` with the output */
export async function runStep(args: readonly string[], options: CommandOptions & { done: string }) {
  const result = await runNode(args, options);
  if (result.code !== 0)
    throw new LaunchError("step-failed", `${result.output.trimEnd()}\n\n${options.title}: failed.`);
  if (result.elapsedMs >= 1_000)
    process.stderr.write(`${options.done} in ${formatElapsed(result.elapsedMs)}\n`);
}

const APT_GET = "/usr/bin/apt-get";

export async function installWithApt(name: string): Promise<string> {
  if (!existsSync(APT_GET) || process.getuid?.() !== 0) return "";
  const options = { title: `Installing ${name} with apt-get`, env: { DEBIAN_FRONTEND: "noninteractive" } };
  const update = await runCommand(APT_GET, ["update"], options);
  const install = await runCommand(APT_GET, ["install", "-y", "--no-install-recommends", name], options);
  return `${update.output}\n${install.output}`;
}
