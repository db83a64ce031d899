import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { listPageModules, noteBundled } from "../../packaging/bundled.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { BASE_PATH_MARK, settleBasePath } from "./base-path.ts";
import { runStep } from "./run-command.ts";
import { shortenPages } from "./shorten-pages.ts";

const root = findProjectRoot();
const pagesFolder = process.env["ASSAY_DIST_DIR"] ?? ".next";

export const SAMPLE_FOLDER = join(root, ".assay", "sample-jobs");
export const CLI_FILE = join(root, "dist", "cli.js");
export const PROGRAMS_FOLDER = join(root, "dist");
const SAMPLE_GENERATOR = join(root, "dist", "sample-jobs.js");
export const PROGRAMS: readonly string[] = [...listPublished(), SAMPLE_GENERATOR];

function listPublished(): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  return files.map((file) => join(root, file));
}

interface Product {
  readonly name: string;
  readonly sources: readonly string[];
  readonly files: readonly string[];
}

const PAGES: Product = {
  name: `pages-${pagesFolder.replaceAll(/\W/g, "")}`,
  sources: [
    "{app,components,lib,packaging}/**/*.{ts,tsx,css,mjs}",
    "public/**/*",
    "docs/*.md",
    "SECURITY.md",
    "next.config.mjs",
    "package-lock.json",
    "package.json",
    "tsconfig.json",
  ],
  files: [join(root, pagesFolder, "BUILD_ID")],
};

const TOOLS: Product = {
  name: "programs",
  sources: [
    "{lib,packaging}/**/*.{ts,mjs}",
    "tsdown.config.ts",
    "package-lock.json",
    "package.json",
    "tsconfig.json",
  ],
  files: PROGRAMS,
};

export const BUNDLES: readonly string[] = [...listPublished(), PAGES.name];

export async function buildWhatChanged(): Promise<void> {
  await Promise.all([buildPages(), buildPrograms()]);
}

async function buildPages(): Promise<void> {
  await buildProduct(PAGES, async () => {
    await runStep([join(root, "node_modules", "next", "dist", "bin", "next"), "build"], {
      title: "Building the pages",
      done: "Built the pages",
      env: { ASSAY_BASE_PATH: BASE_PATH_MARK },
    });
    const pages = join(root, pagesFolder);
    noteBundled(root, PAGES.name, listPageModules(root, pages));
    await shortenPages(pages);
    settleBasePath(pages);
  });
}

export async function buildPrograms(): Promise<void> {
  await buildProduct(TOOLS, async () => {
    await runStep([join(root, "node_modules", "tsdown", "dist", "run.mjs")], {
      title: "Bundling the command line tool and the libraries",
      done: "Bundled the command line tool and the libraries",
    });
    chmodSync(CLI_FILE, 0o755);
  });
}

export async function writeSampleJobs(folder: string = SAMPLE_FOLDER): Promise<void> {
  const samples: Product = { name: "sample-jobs", sources: ["dist/sample-jobs.js"], files: [folder] };
  await buildProduct(samples, async () => {
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    await runStep([SAMPLE_GENERATOR, fresh], {
      title: "Writing the sample jobs",
      done: "Wrote the sample jobs",
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  });
}

async function buildProduct(product: Product, build: () => Promise<void>): Promise<void> {
  const stamp = join(root, ".assay", `${product.name}.sha256`);
  const fingerprint = computeFingerprint(product.sources);
  const isThere = product.files.every((file) => existsSync(file));
  if (isThere && existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  // Removed before the build, so that an aborted build does not look finished.
  rmSync(stamp, { force: true });
  await build();
  mkdirSync(join(root, ".assay"), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

function computeFingerprint(patterns: readonly string[]): string {
  const hash = createHash("sha256");
  const files = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}
