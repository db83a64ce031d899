import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

import { LaunchError } from "../core/domain/launch-error.ts";

/** Placeholder for the base path: Next writes it at build time, before the package's serving path is known. */
export const BASE_PATH_MARK = "/assay-base-path-to-be-put-here";

/** Originals of the files with a mark, next to which the same files serve the root. */
const MARKED = "marked";
const UNUSED = /^(?:cache|dev|diagnostics|types|trace.*|turbopack|marked)$/;
const FORM = /^(?:\/[\w.~-]+)+$/;

/** @throws LaunchError `bad-argument` unless it has plain names only */
export function checkBasePath(given: string): string {
  const path = given.replace(/\/$/, "");
  if (path === "" || (FORM.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path))) return path;
  throw new LaunchError("bad-argument", `--base-path takes a path such as /assay, not "${given}".`);
}

export function settleBasePath(pages: string): void {
  rmSync(join(pages, MARKED), { recursive: true, force: true });
  for (const file of globSync("**/*.{js,json,html,rsc,css,meta,body}", {
    cwd: pages,
    exclude: ["cache/**"],
  })) {
    // Some routes are folders whose names end like files.
    if (!statSync(join(pages, file)).isFile()) continue;
    const written = readFileSync(join(pages, file), "utf8");
    if (!written.includes(BASE_PATH_MARK)) continue;
    const marked = file === ROUTES ? withoutRedirect(written) : written;
    mkdirSync(dirname(join(pages, MARKED, file)), { recursive: true });
    writeFileSync(join(pages, MARKED, file), marked);
    writeFileSync(join(pages, file), marked.replaceAll(BASE_PATH_MARK, ""));
  }
}

const ROUTES = "routes-manifest.json";

/** Removes the redirect from `/assay/` to `/assay`, which would loop at the root; `rewriteUrl` replaces it. */
function withoutRedirect(manifest: string): string {
  const { redirects, ...rest } = JSON.parse(manifest) as { redirects: { basePath?: false }[] }; // Next wrote it.
  return JSON.stringify({ ...rest, redirects: redirects.filter(({ basePath }) => basePath !== false) });
}

/** Anything but a path and query is returned unchanged. */
export function rewriteUrl(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith("/")) return url;
  const isBelow = url.startsWith(basePath) && /^(?:[/?]|$)/.test(url.slice(basePath.length));
  const rest = isBelow ? url.slice(basePath.length) : url;
  return basePath + rest.replace(/^\/(?=\?|$)/, "");
}

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
    for (const entry of globSync("**/*", { cwd: join(pages, MARKED), withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, "utf8").replaceAll(BASE_PATH_MARK, basePath);
      writeFileSync(join(copy, relative(join(pages, MARKED), file)), text);
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

const CONFIG = "next.config.mjs";
const PAGES = "pages";

/** Node resolves packages upwards from the code's location. */
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
