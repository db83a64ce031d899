import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync, copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { minify } from "rolldown/utils";

import config from "../../next.config.ts";
import { buildWhatChanged } from "./build.ts";
import { LaunchError } from "./launch-error.ts";
import { writeNotices } from "./notices.ts";
import { findProjectRoot } from "./project-root.ts";
import { runCommand } from "./run-command.ts";
import { PACKAGED_PAGES } from "./serve.ts";

const root = findProjectRoot();
const folder = join(root, ".assay", "package");

/** What the built programs and pages take from other packages; all else is bundled with them. */
const NEEDED = [
  "@aws-sdk/client-s3",
  "better-sqlite3",
  "hyparquet-writer",
  "lru-cache",
  "next",
  "pg",
  "react",
  "react-dom",
  "zod",
] as const;

/** Of the built pages, what only builds and debuggers read. */
const LEFT_OUT = /^(?:cache|dev|diagnostics|types|trace|node_modules)\b|\.map$|\.nft\.json$/;

/** Where this checkout is, as a path of its own and not as a part of another. */
const OWN_PLACE = new RegExp(`(?<![\\w.-])${root.replaceAll(/[^\w/]/g, "\\$&")}(?![\\w.-])`, "g");

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly [name: string]: unknown;
}

/**
 * Builds Assay, and makes of it a package that runs without a build.
 *
 * @throws LaunchError `step-failed` with npm's output
 */
async function makePackage(): Promise<void> {
  await buildWhatChanged();
  rmSync(folder, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest; // Our own.
  const copied = ["LICENSE", "README.md", ...manifest.files, ...globSync("public/**/*.*", { cwd: root })];
  for (const file of copied) copy(join(root, file), join(folder, file));
  await copyPages();
  const pages = { ...config, distDir: PACKAGED_PAGES };
  writeFileSync(join(folder, "next.config.mjs"), `export default ${JSON.stringify(pages, null, 2)};\n`);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), writeNotices(root));
  const {
    scripts: _scripts,
    devDependencies: _dev,
    optionalDependencies: _runtimes,
    files,
    ...kept
  } = manifest;
  const published = {
    ...kept,
    engines: { node: ">=22.12" },
    files: [...files, PACKAGED_PAGES, "public", "next.config.mjs", "THIRD-PARTY-NOTICES.txt"],
    dependencies: Object.fromEntries(NEEDED.map((name) => [name, manifest.dependencies[name]])),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const written = await runCommand("npm", ["pack", "--pack-destination", join(root, "dist"), folder], {
    title: "Packing",
  });
  if (written.code !== 0) throw new LaunchError("step-failed", written.output);
  process.stdout.write(`dist/${written.output.trimEnd().split("\n").at(-1) ?? ""}\n`);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** The built pages under another name, since npm packs no folder that git ignores by its name, and without where they were built. */
async function copyPages(): Promise<void> {
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
    if (!file.endsWith(".js") && !file.endsWith(".json")) copy(join(built, file), to);
    else {
      const text = readFileSync(join(built, file), "utf8").replaceAll(OWN_PLACE, ".");
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(
        to,
        file.startsWith("server/") && file.endsWith(".js") ? await shorten(file, text, linked) : text,
      );
    }
  }
}

/** Without spaces and long names, and with every calculation as it is: the order of operands is what makes figures exact. */
async function shorten(file: string, text: string, linked: readonly string[]): Promise<string> {
  // Next names packages by links that it makes beside the pages.
  const named = linked.reduce((all, link) => all.replaceAll(link, link.replace(/-[0-9a-f]{16}$/, "")), text);
  const { code, errors } = await minify(file, named, {
    compress: false,
    mangle: { toplevel: false },
    codegen: { removeWhitespace: true },
  });
  if (errors.length > 0) throw new LaunchError("step-failed", `${file}: ${errors[0]?.message ?? ""}`);
  return code;
}

await makePackage();
