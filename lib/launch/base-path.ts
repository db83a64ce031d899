import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

import { LaunchError } from "./launch-error.ts";

/**
 * What pages are built with in place of a base path: Next writes it into code and manifests where it builds, and a package is
 * built before anybody knows where it will be served.
 */
export const BASE_PATH_MARK = "/assay-base-path-to-be-put-here";

/** In the folder of built pages: where in each of its files a base path goes. */
const PLACES_FILE = "base-path.json";
/** Of a folder of built pages, what serving them never reads. */
const UNUSED = /^(?:cache|dev|diagnostics|types|trace.*|turbopack)$/;
const FORM = /^(?:\/[\w.~-]+)+$/;

/** By a file's path below the pages' folder, with slashes: positions in its text, in characters. */
export type BasePathPlaces = Readonly<Record<string, readonly number[]>>;

/**
 * A base path as it was given, without a slash at its end; empty for `/`.
 * @throws LaunchError `bad-argument` for what is no path of plain names
 */
export function checkBasePath(given: string): string {
  const path = given.replace(/\/$/, "");
  if (path === "" || (FORM.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path))) return path;
  throw new LaunchError("bad-argument", `--base-path takes a path such as /assay, not "${given}".`);
}

/** A text without the marks of a build, and where they were. */
export function takeMarks(text: string): { readonly text: string; readonly places: readonly number[] } {
  const parts = text.split(BASE_PATH_MARK);
  let length = 0;
  const places = parts.slice(0, -1).map((part) => (length += part.length));
  return { text: parts.join(""), places };
}

/** The text of {@link takeMarks} with a base path, or the mark, at each of its places. */
export function putBasePath(text: string, places: readonly number[], basePath: string): string {
  const bounds = [0, ...places, text.length];
  return bounds
    .slice(1)
    .map((end, nth) => text.slice(bounds[nth], end))
    .join(basePath);
}

/** Makes of pages that were just built with the mark ones that are served at the top, and notes where a base path goes. */
export function settleBasePath(pages: string): void {
  const places: Record<string, readonly number[]> = {};
  const entries = globSync("**/*.{js,json,html,rsc,css,meta,body}", {
    cwd: pages,
    exclude: ["cache/**"],
    withFileTypes: true,
  });
  for (const entry of entries) {
    // Some addresses end like files, and are folders.
    if (!entry.isFile()) continue;
    const file = relative(pages, join(entry.parentPath, entry.name));
    const written = readFileSync(join(pages, file), "utf8");
    if (!written.includes(BASE_PATH_MARK)) continue;
    const taken = takeMarks(file === ROUTES ? withoutRedirect(written) : written);
    places[file.split(sep).join("/")] = taken.places;
    writeFileSync(join(pages, file), taken.text);
  }
  writePlaces(pages, places);
}

/** Where a base path goes in the files of built pages. */
export function readPlaces(pages: string): BasePathPlaces {
  return JSON.parse(readFileSync(join(pages, PLACES_FILE), "utf8")) as BasePathPlaces; // The build wrote it.
}

/** Notes where a base path goes in the files of built pages. */
export function writePlaces(pages: string, places: BasePathPlaces): void {
  writeFileSync(join(pages, PLACES_FILE), JSON.stringify(places));
}

const ROUTES = "routes-manifest.json";

/** Without the redirect from `/assay/` to `/assay`, which would lead the top to itself; `rewriteUrl` does its work. */
function withoutRedirect(manifest: string): string {
  const { redirects, ...rest } = JSON.parse(manifest) as { redirects: { basePath?: false }[] }; // Next wrote it.
  return JSON.stringify({ ...rest, redirects: redirects.filter(({ basePath }) => basePath !== false) });
}

/**
 * The address of a request below the base path, whether the proxy in front passed that on or took it away.
 * @param url - path and query; anything else is given back as it is
 */
export function rewriteUrl(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith("/")) return url;
  const isBelow = url.startsWith(basePath) && /^(?:[/?]|$)/.test(url.slice(basePath.length));
  const rest = isBelow ? url.slice(basePath.length) : url;
  // The page at the top has no slash at its end.
  return basePath + rest.replace(/^\/(?=\?|$)/, "");
}

/**
 * Copies built pages for a base path into a folder of their own, which lasts as long as the server and is what Next serves.
 *
 * @param from.project - the folder of Assay's package.json, where the pages find other packages
 * @param from.pages - the built pages, below it
 * @returns the folder, and what removes it
 */
export function placePages(
  { project, pages }: { readonly project: string; readonly pages: string },
  basePath: string,
): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "assay-pages-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, PAGES);
    cpSync(pages, copy, {
      recursive: true,
      filter: (from) => !UNUSED.test(relative(pages, from)) && !from.endsWith(".map"),
    });
    for (const [file, places] of Object.entries(readPlaces(pages))) {
      const text = readFileSync(join(pages, file), "utf8");
      writeFileSync(join(copy, file), putBasePath(text, places, basePath));
    }
    cpSync(join(project, "public"), join(folder, "public"), { recursive: true });
    const config = join(project, CONFIG);
    writeFileSync(
      join(folder, CONFIG),
      `import config from ${JSON.stringify(pathToFileURL(config).href)};\n` +
        `export default { ...config, distDir: ${JSON.stringify(PAGES)} };\n`,
    );
    linkPackages(project, join(folder, "node_modules"));
  } catch (error) {
    remove();
    throw new LaunchError("step-failed", `The pages could not be copied for --base-path: ${String(error)}`, {
      cause: error,
    });
  }
  return { folder, remove };
}

/** Of a checkout and of a package; both take the base path from the environment. */
const CONFIG = "next.config.mjs";
/** Where a copy has its pages. */
const PAGES = "pages";

/** Code looks for packages upwards from where it lies. */
function linkPackages(project: string, to: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
    dependencies: Readonly<Record<string, string>>; // Our own.
  };
  for (const name of Object.keys(dependencies)) {
    const found = findPackage(project, name);
    const link = join(to, name);
    if (found === null || existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(found, link, "junction");
  }
}

function findPackage(from: string, name: string): string | null {
  const here = join(from, "node_modules", name);
  if (existsSync(here)) return here;
  return dirname(from) === from ? null : findPackage(dirname(from), name);
}
