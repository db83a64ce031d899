import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { LaunchError } from "../lib/core/domain/launch-error.ts";

/** As manifests name them. Packages under MPL-2.0 must stay unmodified. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...[
    "0BSD",
    "Apache-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
  ],
  ...["MPL-2.0", "OFL-1.1", "SIL OPEN FONT LICENSE", "Python-2.0", "Unlicense"],
]);
/** From the repositories of packages that are published without a text. */
const OWN_TEXTS = join("packaging", "licences");
const PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** Equal texts appear once. @throws LaunchError `step-failed` naming packages with a missing or disallowed licence */
export function writeNotices(root: string, bundled: readonly string[]): string {
  const folders = [...new Set(bundled.flatMap(listFolders))].sort().map((folder) => readFolder(root, folder));
  const refused = folders.flatMap(({ problem }) => problem ?? []);
  if (refused.length > 0)
    throw new LaunchError(
      "step-failed",
      `Bundled packages need a text in ${OWN_TEXTS} or a licence in packaging/notices.ts:\n${refused.join("\n")}`,
    );
  const byText = Map.groupBy(folders, ({ text }) => text);
  byText.delete("");
  const parts = Array.from(
    byText,
    ([text, own]) => `${[...new Set(own.map(({ name }) => name))].join("\n")}\n\n${text}\n`,
  );
  const rule = `\n${"-".repeat(80)}\n\n`;
  return ["Assay contains code or fonts of these packages, under their own licences.\n", ...parts].join(rule);
}

function listFolders(folder: string): readonly string[] {
  return folder === PACKAGE.exec(folder)?.[0] ? [folder] : [folder, ...listFolders(dirname(folder))];
}

function readFolder(root: string, folder: string) {
  const [owner = folder, ownerName = ""] = PACKAGE.exec(folder) ?? [];
  const isPackage = folder === owner;
  const { version } = readManifest(join(root, owner));
  const name = `${ownerName} ${version}${folder.slice(owner.length).replace("/", ": ")}`;
  const files = globSync("*", { cwd: join(root, folder) }).filter((file) =>
    /^(?:licen[cs]e|copying|notice)\b.*(?<!\.[cm]?js)$/i.test(file),
  );
  const paths = files.sort().map((file) => join(root, folder, file));
  const ownText = join(root, OWN_TEXTS, `${ownerName}.txt`);
  if (isPackage && paths.length === 0 && existsSync(ownText)) paths.push(ownText);
  const text = paths.map((path) => readFileSync(path, "utf8").trim()).join("\n\n");
  const { license } = readManifest(join(root, folder));
  const isRefused = (isPackage || license !== undefined) && !isAllowed(license ?? "none");
  const problem = isRefused ? `licence ${license}` : isPackage && text === "" ? "no text" : null;
  return { name, text, problem: problem && `${name}: ${problem}` };
}

function readManifest(folder: string): { readonly version?: string; readonly license?: string } {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
}

function isAllowed(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((one) => ALLOWED.has(one)));
}
