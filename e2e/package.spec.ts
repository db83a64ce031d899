import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, test } from "@playwright/test";

import { withFewJobs } from "./fixtures/app";

const PROJECT = join(import.meta.dirname, "..");
/** Unpacked, without dependencies. */
const MOST_BYTES = 40e6;

/** Installs the package with its dependencies into its own folder. @returns the folder */
function installPackage(): string {
  const output = execFileSync(process.execPath, ["lib/server/package.mjs"], {
    cwd: PROJECT,
    encoding: "utf8",
  });
  const folder = mkdtempSync(join(tmpdir(), "installed-"));
  execFileSync("tar", ["-xzf", join(PROJECT, output.trim()), "-C", folder]);
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  renameSync(join(folder, "package"), join(modules, "assay"));
  const { dependencies } = JSON.parse(readFileSync(join(modules, "assay", "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(PROJECT, "node_modules", name), join(modules, name));
  }
  return folder;
}

test("the package serves pages without a build, and contains no path of its build machine @long", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const folder = installPackage();
  const files = globSync("node_modules/assay/**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(MOST_BYTES);
  expect(files.filter((file) => readFileSync(file, "latin1").includes(PROJECT))).toEqual([]);

  const read = (name: string) => readFileSync(join(folder, "node_modules", "assay", name), "utf8");
  const { components } = JSON.parse(read("sbom.cdx.json")) as {
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  // Each licence follows the names of its packages, with version or folder.
  const [, ...parts] = read("THIRD-PARTY-NOTICES.txt").split(/\n-{80}\n\n/);
  const noticed = parts.flatMap((part) => (part.split("\n\n")[0] ?? "").split("\n"));
  const packages = noticed.map((one) => one.replace(/: .*/, ""));
  expect(packages.filter((one) => !listed.includes(one))).toEqual([]);
  const names = packages.map((one) => one.replace(/ .*/, ""));
  // Packages of the command line tool, of both sides of the pages, and a font.
  expect(names).toEqual(expect.arrayContaining(["kysely", "smol-toml", "next", "recharts", "cmdk", "geist"]));

  const readme = read("README.md");
  const links = Array.from(readme.matchAll(/\]\(([\w./-]+)/g), ([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(join(folder, "node_modules", "assay", link)))).toEqual([]);

  const program = join(folder, "node_modules", "assay", "dist", "cli.js");
  await withFewJobs(
    async ({ url, readErrors }) => {
      const failures: string[] = [];
      page.on("pageerror", ({ message }) => failures.push(message));
      page.on("response", (response) => {
        if (response.status() >= 400) failures.push(`${String(response.status())} ${response.url()}`);
      });
      await page.goto(`${url}/jobs/tb2-orca-next`);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("tb2-orca-next");
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog")).toBeVisible();
      expect({ failures, errors: readErrors() }).toEqual({ failures: [], errors: "" });
    },
    undefined,
    { program },
  );

  const script = `
    const { computeWilsonInterval } = await import("assay/stats");
    const { passAtKForTask } = await import("assay/scoring");
    await import("assay/evaluation");
    console.log(passAtKForTask(4, 2, 2).toFixed(4), computeWilsonInterval(8, 10).low.toFixed(4));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    encoding: "utf8",
  });
  // 1 - C(2, 2) / C(4, 2), and 8 of 10 by hand from Wilson's formula.
  expect(printed.trim()).toBe("0.8333 0.4902");

  // Compiles the guide's code in strict mode; `lib/cli/guides.test.ts` runs it.
  const guide = readFileSync(join(PROJECT, "docs", "libraries.md"), "utf8");
  const examples = Array.from(guide.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = ""], nth) => {
    const file = join(folder, `example-${String(nth)}.mts`);
    writeFileSync(file, code);
    return file;
  });
  expect(examples).toHaveLength(3);
  const compiler = join(PROJECT, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
  const compiled = spawnSync(process.execPath, [compiler, ...options, ...examples], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(compiled.stdout).toBe("");
});
