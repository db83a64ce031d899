import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { AppError, ValidationError } from "@/lib/core/domain/app-error";
import { isBucketAddress } from "@/lib/core/domain/bucket";
import { LOAD_ISSUE_CODES } from "@/lib/core/domain/load-issue";
import { formatBytes, formatPlural } from "@/lib/core/format/number";
import { openProvider, readOidcSettings } from "@/lib/people/accounts";
import { openAnnotationStore, readAnnotationsState, resolveAnnotationTarget } from "@/lib/people/annotations";
import { probeBucket } from "@/lib/read/buckets";
import { discoverJobs } from "@/lib/read/loader";
import {
  describeTarget,
  findJobFolder,
  type PostgresTarget,
  readServerFacts,
  resolveDataFolder,
} from "@/lib/store/database";

import { defineCommand, flag, option } from "./command";
import { ALLOW_READING, statOrNull, withData } from "./open-folders";
import { type Terminal, makePrintable, readVersion, writeJson } from "./terminal";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "problem";
  readonly detail: string;
  readonly remedy: string | null;
}

/** The index of 100,000 trials takes 270 MB. */
const LEAST_FREE_BYTES = 1e9;

/**
 * Runs `assay doctor`: checks that Assay can work here. Creates no store, but migrates existing judgments, like any command that
 * reads them.
 */
export const doctor = defineCommand({
  listed: { "doctor [DIR ...]": "Check if Assay can run here, and print how to fix problems" },
  usage: ["assay doctor [DIR ...] [OPTIONS]"],
  about: `Checks each DIR (default: the current folder), the data folder and its free space, the judgments (there, or in
$DATABASE_URL), and the provider in ASSAY_OIDC_ISSUER. Prints how to fix each problem. Creates no missing store.`,
  options: {
    data: option("DIR", "Data folder to check (default $ASSAY_DATA, else the user's data folder)."),
    json: flag("Print JSON (assay.doctor/1)."),
  },
  notes: "Exits with 1 if there is a problem.",
  examples: ["assay doctor jobs"],
  buckets: "unopened",
  async run({ values, positionals }, terminal) {
    const env = withData(terminal.env, values.data);
    const folders = positionals.length === 0 ? ["."] : positionals;
    const inData = checkDataFolder(
      resolveDataFolder(env),
      values.data === undefined ? "ASSAY_DATA" : "--data",
    );
    const isDataWell = inData[0]?.state === "ok";
    const findings = [
      ok("Assay", readVersion()),
      ok("Node", `${process.versions.node} on ${process.platform} ${process.arch}`),
      ...(await Promise.all(folders.map((folder) => checkRoot(folder, env)))),
      ...inData,
      ...(await checkStore(env, isDataWell)),
      ...(await checkProvider(env)),
    ];
    const isWell = findings.every(({ state }) => state === "ok");
    if (values.json) await writeJson(terminal.stdout, { schema: "assay.doctor/1", findings });
    else for (const finding of findings) terminal.stdout.write(describe(finding));
    return isWell ? 0 : 1;
  },
});

function describe({ name, state, detail, remedy }: Finding): string {
  const lines = [`${state.padEnd(8)} ${makePrintable(name)}: ${makePrintable(detail)}`];
  if (remedy !== null) lines.push(`${"".padEnd(9)}${makePrintable(remedy)}`);
  return `${lines.join("\n")}\n`;
}

function ok(name: string, detail: string): Finding {
  return { name, state: "ok", detail, remedy: null };
}

function problem(name: string, detail: string, remedy: string): Finding {
  return { name, state: "problem", detail, remedy };
}

async function checkRoot(root: string, env: Terminal["env"]): Promise<Finding> {
  if (!isBucketAddress(root)) return checkJobs(root);
  const probe = await probeBucket(root, env);
  const name = `bucket ${root}`;
  return probe.ok ? ok(name, probe.found) : problem(name, probe.problem, probe.remedy);
}

function checkJobs(folder: string): Finding {
  const path = resolve(folder);
  const name = `folder ${path}`;
  const stats = statOrNull(path);
  if (stats === undefined) return problem(name, "does not exist", "Choose a folder of jobs.");
  if (stats?.isDirectory() === false)
    return problem(name, "is a file", "Choose the folder that contains it.");
  if (stats === null || !mayRead(path)) return problem(name, "cannot be read", ALLOW_READING);
  const { jobs, issues } = discoverJobs({ index: 0, label: basename(path), path });
  if (jobs.length === 0)
    return problem(name, "contains no jobs", "Choose a folder that contains Harbor jobs.");
  const found = formatPlural(jobs.length, "job");
  const [issue, ...others] = issues.filter(({ code }) => LOAD_ISSUE_CODES[code] === "problem");
  if (issue === undefined) return ok(name, found);
  const more = others.length === 0 ? "" : ` And ${formatPlural(others.length, "more problem")}.`;
  return problem(name, `${found}. ${issue.path}: ${issue.detail}${more}`, "Run assay check to list them.");
}

/** @param by - how the folder was or can be chosen */
function checkDataFolder(folder: string, by: "ASSAY_DATA" | "--data"): readonly Finding[] {
  const name = `data folder ${folder}`;
  const job = findJobFolder(folder);
  if (job !== null)
    return [problem(name, `is inside the job folder ${job}`, `Choose a folder outside any job with ${by}.`)];
  const existing = findExisting(folder);
  if (!statSync(existing).isDirectory())
    return [problem(name, `${existing} is a file`, `Choose another folder with ${by}.`)];
  if (!canMakeIn(existing))
    return [
      problem(
        name,
        `${existing} is not writable`,
        `Grant access to the user that runs Assay, or choose another folder with ${by}.`,
      ),
    ];
  const { bavail, bsize } = statfsSync(existing);
  const free = `${formatBytes(bavail * bsize)} free`;
  const place = existing === folder ? "writable" : "will be created";
  return [
    ok(name, place),
    bavail * bsize < LEAST_FREE_BYTES
      ? problem(
          "space",
          free,
          "Free some space: the index of 100,000 trials takes 270 MB, and judgments cannot be saved on a full disk.",
        )
      : ok("space", free),
  ];
}

function findExisting(path: string): string {
  return existsSync(path) ? path : findExisting(dirname(path));
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Creates a folder and removes it: permissions do not tell what a file system such as /proc allows. */
function canMakeIn(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, ".assay-")));
    return true;
  } catch {
    return false;
  }
}

async function checkStore(env: Terminal["env"], isDataWell: boolean): Promise<readonly Finding[]> {
  const target = resolveAnnotationTarget(env);
  const name = `judgments ${describeTarget(target)}`;
  if (target.engine === "postgres") return checkServer(name, target);
  if (!existsSync(target.file))
    return [
      isDataWell
        ? ok(name, "none yet: created with the first one")
        : problem(name, "none yet, and none can be saved there", "Fix the data folder first."),
    ];
  try {
    const store = openAnnotationStore(target);
    try {
      const { nCurrent, problem: found } = await readAnnotationsState(store);
      if (found !== null) return [problem(name, found, "Restore them from a copy, or move the file away.")];
      return [ok(name, formatPlural(nCurrent ?? 0, "judgment"))];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [describeFailure(name, error, "the data folder")];
  }
}

/** Only checks that it answers and what it allows, since opening it would create missing stores. */
async function checkServer(name: string, target: PostgresTarget): Promise<readonly Finding[]> {
  try {
    const { version, mayCreate } = await readServerFacts(target);
    return [
      ok(name, `PostgreSQL ${version} answers`),
      mayCreate
        ? ok("database", "can create schemas")
        : problem(
            "database",
            "cannot create schemas",
            "Grant CREATE on the database to the role of DATABASE_URL.",
          ),
    ];
  } catch (error) {
    return [describeFailure(name, error, "DATABASE_URL")];
  }
}

async function checkProvider(env: Terminal["env"]): Promise<readonly Finding[]> {
  const name = `sign-in ${env["ASSAY_OIDC_ISSUER"] ?? ""}`.trim();
  try {
    const settings = readOidcSettings(env);
    if (settings === null) return [];
    const probe = await openProvider(settings).probe();
    if (!probe.ok) return [problem(name, probe.problem, probe.remedy)];
    return [ok(name, `${settings.name} answers`)];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return [problem(name, error.message, "Fix it in the environment of Assay.")];
  }
}

function describeFailure(name: string, error: unknown, what: string): Finding {
  if (!(error instanceof AppError)) throw error;
  return problem(name, error.message, `Check ${what}, and try again.`);
}
