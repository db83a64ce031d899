import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";
import { z } from "zod";

import { findProjectRoot } from "../read/processes/project-root";

const namesSchema = z.union([z.string(), z.array(z.string())]).optional();
const packageSchema = z.object({
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  resolved: z.string().optional(),
  os: namesSchema,
  cpu: namesSchema,
  libc: namesSchema,
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });

function readLock(path: string): Map<string, z.output<typeof packageSchema>> {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(findProjectRoot(), path), "utf8")));
  return new Map(Object.entries(packages).filter(([name]) => name !== ""));
}

/** Linux on x64 and arm64 with glibc. */
function isForLinux({
  os = ["linux"],
  cpu = ["x64"],
  libc = ["glibc"],
}: z.output<typeof packageSchema>): boolean {
  return os.includes("linux") && libc.includes("glibc") && (cpu.includes("x64") || cpu.includes("arm64"));
}

it("has every package for Linux in the lock with its integrity, and none that runs anything when it is installed", () => {
  const wrong = [...readLock("package-lock.json")].filter(
    ([, one]) =>
      (isForLinux(one) && !/^sha512-[\w+/]{86}==$/.test(one.integrity ?? "")) ||
      one.hasInstallScript === true,
  );
  expect(wrong).toEqual([]);
});

it("runs only on locked packages, including the runtime", () => {
  const locked = readLock("package-lock.json");
  const installed = readLock("node_modules/.package-lock.json");
  const strange = [...installed].filter(([path, { integrity }]) => locked.get(path)?.integrity !== integrity);
  expect(strange.map(([path]) => path)).toEqual([]);
  const runtimes = [...installed.keys()].filter((path) =>
    process.execPath.startsWith(join(findProjectRoot(), path)),
  );
  expect(runtimes).toHaveLength(1);
});
