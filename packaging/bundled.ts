import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { LaunchError } from "../lib/core/domain/launch-error.ts";

const findList = (root: string, output: string) =>
  join(root, ".assay", "bundled", `${basename(output)}.json`);

/** @throws LaunchError `step-failed` for a module of no installed package */
export function noteBundled(root: string, output: string, modules: readonly string[]): void {
  const folders = modules.flatMap((module) => {
    const path = /node_modules\/[^?]+/.exec(module)?.[0];
    if (path === undefined) return [];
    const folder = findFolder(root, path);
    if (folder === "node_modules")
      throw new LaunchError("step-failed", `No installed package has ${path}. Run npm ci and build again.`);
    return [folder];
  });
  mkdirSync(dirname(findList(root, output)), { recursive: true });
  writeFileSync(findList(root, output), JSON.stringify([...new Set(folders)].sort()));
}

export function readBundled(root: string, outputs: readonly string[]): readonly string[] {
  return outputs.flatMap((output) => JSON.parse(readFileSync(findList(root, output), "utf8")) as string[]);
}

/** Turbopack appends text of its own to some paths. */
function findFolder(root: string, path: string): string {
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder || path === "node_modules" ? path : findFolder(root, dirname(path));
}

interface SourceMap {
  readonly sources?: readonly (string | null)[];
  readonly sections?: readonly { readonly map: SourceMap }[];
}

/** Source maps name the modules. Fonts have none, so they are matched by their bytes. */
export function listPageModules(root: string, pages: string): readonly string[] {
  const sources = globSync("{server,static}/**/*.map", { cwd: pages }).flatMap((map) =>
    listSources(JSON.parse(readFileSync(join(pages, map), "utf8")) as SourceMap),
  );
  const known = globSync("node_modules/**/*.woff2", { cwd: root });
  const fonts = globSync("static/media/*.woff2", { cwd: pages }).map((font) => {
    const bytes = readFileSync(join(pages, font));
    const file = known.find((one) => readFileSync(join(root, one)).equals(bytes));
    if (file === undefined) throw new LaunchError("step-failed", `${font} is a font of no package. Use one.`);
    return file;
  });
  return [...sources.map(decodeURIComponent), ...fonts];
}

function listSources({ sources = [], sections = [] }: SourceMap): readonly string[] {
  return [...sources.filter((one) => one !== null), ...sections.flatMap(({ map }) => listSources(map))];
}
