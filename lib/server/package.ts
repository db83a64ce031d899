import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync, copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";

import config from "../../next.config.mjs";
import { readBundled } from "../../packaging/bundled.ts";
import { writeNotices } from "../../packaging/notices.ts";
import { writeSbom } from "../../packaging/sbom.ts";
import { LaunchError } from "../core/domain/launch-error.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { BUNDLES, buildWhatChanged } from "./build.ts";
import { runCommand } from "./run-command.ts";
import { PACKAGED_PAGES } from "./serve.ts";

const root = findProjectRoot();
const folder = join(root, ".assay", "package");

const NEEDED = [
  "@aws-sdk/client-s3",
  "@zxcvbn-ts/language-common",
  "better-auth",
  "better-sqlite3",
  "hyparquet-writer",
  "lru-cache",
  "next",
  "openid-client",
  "pg",
  "react",
  "react-dom",
  "unhomoglyph",
  "zod",
] as const;

const LINKED = ["AGENTS.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md"];

const LEFT_OUT = /^(?:cache|dev|diagnostics|types|trace|node_modules)\b|\.map$|\.nft\.json$/;

const OWN_PLACE = new RegExp(`(?<![\\w.-])${root.replaceAll(/[^\w/]/g, "\\$&")}(?![\\w.-])`, "g");

const NOTICES = "THIRD-PARTY-NOTICES.txt";
const SBOM = "sbom.cdx.json";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly [name: string]: unknown;
}

async function makePackage(): Promise<void> {
  await buildWhatChanged();
  rmSync(folder, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest; // Our own.
  const copied = [
    ...["LICENSE", "README.md", ...LINKED, ...manifest.files],
    ...globSync("{docs,public}/**/*.*", { cwd: root }),
  ];
  for (const file of copied) copy(join(root, file), join(folder, file));
  copyPages();
  const { basePath: _base, env: _env, ...shared } = config;
  const pages = { ...shared, distDir: PACKAGED_PAGES };
  writeFileSync(join(folder, "next.config.mjs"), writeConfig(pages));
  const {
    scripts: _scripts,
    devDependencies: _dev,
    optionalDependencies: _runtimes,
    files,
    ...kept
  } = manifest;
  writeFileSync(join(folder, NOTICES), writeNotices(root, readBundled(root, BUNDLES)));
  writeFileSync(join(folder, SBOM), await writeSbom(root));
  const published = {
    ...kept,
    engines: { node: ">=22.12" },
    files: [...files, ...LINKED, PACKAGED_PAGES, "docs", "public", "next.config.mjs", NOTICES, SBOM],
    dependencies: Object.fromEntries(NEEDED.map((name) => [name, manifest.dependencies[name]])),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const written = await runCommand("npm", ["pack", "--pack-destination", join(root, "dist"), folder], {
    title: "Packing",
  });
  if (written.code !== 0) throw new LaunchError("step-failed", written.output);
  process.stdout.write(`dist/${written.output.trimEnd().split("\n").at(-1) ?? ""}\n`);
}

function writeConfig(pages: object): string {
  const base = `const basePath = process.env["ASSAY_BASE_PATH"] ?? "";`;
  return `${base}\nexport default { ...${JSON.stringify(pages, null, 2)}, basePath };\n`;
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Renamed, because npm skips folders that git ignores; paths of the build machine are removed. */
function copyPages(): void {
  const built = join(root, ".next");
  const linked = existsSync(join(built, "node_modules"))
    ? globSync("*", { cwd: join(built, "node_modules") })
    : [];
  const files = globSync("**/*", { cwd: built, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(built.length + 1))
    .filter((file) => !LEFT_OUT.test(file));
  for (const file of files) {
    const to = join(folder, PACKAGED_PAGES, file);
    if (!file.endsWith(".js") && !file.endsWith(".json")) {
      copy(join(built, file), to);
      continue;
    }
    const text = readFileSync(join(built, file), "utf8").replaceAll(OWN_PLACE, ".");
    const isCode = /^(?:marked\/)?server\/.*\.js$/.test(file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, isCode ? nameByThemselves(text, linked) : text);
  }
}

function nameByThemselves(text: string, links: readonly string[]): string {
  return links.reduce((all, link) => all.replaceAll(link, link.replace(/-[0-9a-f]{16}$/, "")), text);
}

await makePackage();
