import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
}

/** Returns the licences of all bundled packages; equal texts appear once with their packages. */
export function writeNotices(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const used = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional, peer }]) =>
      path !== "" && ![dev, optional, devOptional, peer].includes(true) && existsSync(join(root, path)),
  );
  const byText = Map.groupBy(used, ([path, { license }]) => readLicence(join(root, path), license));
  const parts = Array.from(byText, ([text, own]) => {
    const names = own.map(
      ([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version ?? ""}`,
    );
    return `${[...new Set(names)].toSorted().join("\n")}\n\n${text.trim()}\n`;
  });
  const rule = `\n${"-".repeat(80)}\n\n`;
  return `Assay is built from these packages, under their own licences.\n${rule}${parts.join(rule)}`;
}

function readLicence(folder: string, stated = "not stated"): string {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)\b/i.test(name));
  const texts = files.toSorted().map((name) => readFileSync(join(folder, name), "utf8").trim());
  return texts.length === 0 ? `Licence: ${stated}` : texts.join("\n\n");
}
