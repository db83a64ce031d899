import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";
import { z } from "zod";

import { findProjectRoot } from "../lib/read/processes/project-root";
import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import manifest from "../package.json";
import { writeSbom } from "./sbom";

const flag = z.boolean().optional();
const lockedSchema = z.object({
  version: z.string(),
  integrity: z.string().optional(),
  ...{ dev: flag, devOptional: flag, optional: flag, peer: flag },
});
const bomSchema = z.object({
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ content: z.string() })).optional(),
    }),
  ),
});

it("lists what the lock has for running, with its hash, the same each time and without addresses", async () => {
  const text = await writeSbom(findProjectRoot());
  const { metadata, components } = bomSchema.parse(JSON.parse(text));
  expect(metadata.component).toMatchObject({ name: "assay", version: manifest.version });

  const lock = z
    .object({ packages: z.record(z.string(), lockedSchema) })
    .parse(JSON.parse(readFileSync(join(findProjectRoot(), "package-lock.json"), "utf8")));
  const locked = Object.entries(lock.packages).flatMap(([path, one]) =>
    path === "" ? [] : [{ ...one, id: `${path.replace(/^.*node_modules\//, "")} ${one.version}` }],
  );
  const listed = new Map(components.map((one) => [`${one.name} ${one.version}`, one.hashes?.[0]?.content]));

  const needed = locked.filter(
    ({ dev, devOptional, optional, peer }) => !(dev ?? devOptional ?? optional ?? peer),
  );
  expect(needed.length).toBeGreaterThan(300);
  expect(needed.filter(({ id }) => !listed.has(id))).toEqual([]);
  // Those of every system, as the same list is written on each.
  expect(Array.from(listed.keys(), (id) => id.replace(/ .*/, ""))).toEqual(
    expect.arrayContaining(["sharp", "@img/sharp-darwin-arm64", "@img/sharp-linux-x64"]),
  );
  const unneeded = [...Object.keys(manifest.devDependencies), ...Object.keys(manifest.optionalDependencies)];
  const bundledToo = ["hyparquet"]; // Of hyparquet-writer.
  expect(components.filter(({ name }) => unneeded.includes(name) && !bundledToo.includes(name))).toEqual([]);
  for (const { id, integrity = "" } of locked.filter((one) => listed.get(one.id) !== undefined))
    expect(`sha512-${Buffer.from(listed.get(id) ?? "", "hex").toString("base64")}`).toBe(integrity);

  if (IS_LONG_RUN) expect(await writeSbom(findProjectRoot())).toBe(text);
  expect(text).not.toMatch(/"(?:serialNumber|timestamp)"|https?:|"\/|tmp/);
});
