import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { runChild } from "./child.ts";
import { BENCH_FOLDER } from "./data-set.ts";

/** An installed Harbor. */
export interface Harbor {
  readonly version: string;
  /** Its program. */
  readonly program: string;
}

const OLDEST_MINOR = 12;
const INSTALL_TIMEOUT_MS = 900_000;

/** A Python that Harbor runs on, looked for on PATH and among pyenv's; null when there is none. */
async function findPython(): Promise<string | null> {
  const versions = join(homedir(), ".pyenv", "versions");
  const kept = existsSync(versions)
    ? readdirSync(versions).map((name) => join(versions, name, "bin", "python"))
    : [];
  for (const python of ["python3.12", "python3.13", "python3.14", "python3", ...kept]) {
    const check = `import sys; sys.exit(sys.version_info < (3, ${OLDEST_MINOR}))`;
    const { code } = await runChild(python, ["-c", check], 20_000);
    if (code === 0) return python;
  }
  return null;
}

/**
 * Harbor in a virtual environment of its own, installed with pip unless it is there.
 *
 * @param requirement as pip takes it, such as `harbor==0.13.1`
 * @throws Error without a Python of 3.12 or newer, or when pip fails
 */
export async function installHarbor(requirement: string): Promise<Harbor> {
  const folder = join(BENCH_FOLDER, `venv-${/==(.+)$/.exec(requirement)?.[1] ?? "newest"}`);
  const program = join(folder, "bin", "harbor");
  const python = join(folder, "bin", "python");
  const ask = "import importlib.metadata; print(importlib.metadata.version('harbor'))";
  const readVersion = () => runChild(python, ["-c", ask], 60_000);
  let version = existsSync(program) ? await readVersion() : null;
  if (version?.code !== 0) {
    process.stderr.write(`Installing ${requirement}, some minutes the first time\n`);
    const base = await findPython();
    if (base === null)
      throw new Error(`there is no Python 3.${OLDEST_MINOR} or newer to install Harbor with`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(BENCH_FOLDER, { recursive: true });
    await runStep(base, ["-m", "venv", folder]);
    await runStep(python, ["-m", "pip", "install", "--quiet", requirement]);
    version = await readVersion();
  }
  return { version: version.stdout.trim(), program };
}

async function runStep(command: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runChild(command, args, INSTALL_TIMEOUT_MS);
  if (code !== 0) throw new Error(`${args.slice(0, 3).join(" ")} failed: ${stderr.trim().slice(-400)}`);
}
