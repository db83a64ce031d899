import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

const folder = import.meta.dirname;
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

it.each(sources)("%s imports nothing outside the folder", (name) => {
  const text = readFileSync(path.join(folder, name), "utf8");
  const targets = [...text.matchAll(/\bfrom "([^"]+)"/g)].map((match) => match[1] ?? "");
  for (const target of targets) {
    const resolved = path.join(path.dirname(path.join(folder, name)), target);
    expect(target.startsWith(".") && resolved.startsWith(folder + path.sep)).toBe(true);
  }
});
