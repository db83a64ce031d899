import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

import { LaunchError } from "../core/domain/launch-error.ts";
import { installWithApt } from "./run-command.ts";

const DEBIAN = "/usr/lib/postgresql";

/** Finds or installs PostgreSQL's programs: $ASSAY_POSTGRES_BIN, Debian's newest, the PATH. @throws LaunchError `step-failed` */
export async function ensurePostgres(): Promise<string> {
  const found = findPostgres();
  if (found !== null) return found;
  const output = await installWithApt("postgresql");
  const installed = findPostgres();
  if (installed !== null) return installed;
  throw new LaunchError(
    "step-failed",
    `${output}\nPostgreSQL is required for the tests and could not be installed. Install it (Debian: apt-get install ` +
      `postgresql) or set the folder of its initdb: ASSAY_POSTGRES_BIN=/path/to/bin npm test`,
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
