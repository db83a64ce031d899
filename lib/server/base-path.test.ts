import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { LaunchError } from "../core/domain/launch-error";
import { BASE_PATH_MARK, checkBasePath, placePages, rewriteUrl, settleBasePath } from "./base-path";

it.each([
  ["/", "/assay"],
  ["/?q=1", "/assay?q=1"],
  ["/assay", "/assay"],
  ["/assay/", "/assay"],
  ["/assay/?q=1", "/assay?q=1"],
  ["/assay?q=1", "/assay?q=1"],
  ["/assay/jobs/a%2Fb/", "/assay/jobs/a%2Fb/"],
  ["/jobs/assay", "/assay/jobs/assay"],
  ["/assayed", "/assay/assayed"],
  ["//evil.example", "/assay//evil.example"],
  ["*", "*"],
])("%s is below the base path as %s, with any proxy", (url, below) => {
  expect(rewriteUrl(url, "/assay")).toBe(below);
  expect(rewriteUrl(url, "")).toBe(url);
});

it("accepts only paths of plain names", () => {
  for (const [given, path] of [
    ["/", ""],
    ["/assay/", "/assay"],
    ["/a/b.c", "/a/b.c"],
  ] as const)
    expect(checkBasePath(given)).toBe(path);
  for (const wrong of ["assay", "//evil.example", "/a b", "/a/../b", "/.", '/"', "https://evil.example"])
    expect(() => checkBasePath(wrong), wrong).toThrow(LaunchError);
});

it("pages that are built once are served at the top, and copied below any path", async () => {
  const project = mkdtempSync(join(tmpdir(), "assay-project-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const pages = join(project, "pages");
  mkdirSync(join(pages, "server"), { recursive: true });
  mkdirSync(join(project, "node_modules", "one"), { recursive: true });
  writeFileSync(join(project, "node_modules", "one", "index.js"), "1");
  mkdirSync(join(project, "public"));
  writeFileSync(join(project, "public", "a.txt"), "a");
  writeFileSync(join(project, "next.config.mjs"), "export default { poweredByHeader: false };");
  writeFileSync(join(project, "package.json"), '{"dependencies": {"one": "1.0.0"}}');
  const code = (base: string) => `link("${base}");"ä${base}/_next/"+"${base}${base}"`;
  const redirect = (source: string) => ({ source, ...(source === "/:path+/" ? {} : { basePath: false }) });
  writeFileSync(join(pages, "server", "page.js"), code(BASE_PATH_MARK));
  const redirects = ["/:path+/", `${BASE_PATH_MARK}/`].map(redirect);
  const manifest = JSON.stringify({ basePath: BASE_PATH_MARK, redirects });
  writeFileSync(join(pages, "routes-manifest.json"), manifest);

  settleBasePath(pages);
  const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
  expect(read(pages, "server/page.js")).toBe(code(""));
  expect(JSON.parse(read(pages, "routes-manifest.json"))).toEqual({
    basePath: "",
    redirects: [{ source: "/:path+/" }],
  });
  const { folder, remove } = placePages({ project, pages }, "/a/b");
  expect(read(folder, "pages/server/page.js")).toBe(code("/a/b"));
  expect(JSON.parse(read(folder, "pages/routes-manifest.json"))).toMatchObject({ basePath: "/a/b" });
  expect(read(folder, "node_modules/one/index.js")).toBe("1");
  expect(read(folder, "public/a.txt")).toBe("a");
  const config = (await import(pathToFileURL(join(folder, "next.config.mjs")).href)) as { default: object };
  expect(config.default).toEqual({ poweredByHeader: false, distDir: "pages" });
  remove();
  expect(() => read(folder, "pages/server/page.js")).toThrow();
  expect(read(pages, "server/page.js")).toBe(code(""));
});
