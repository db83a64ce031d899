import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { minify } from "rolldown/utils";

import { toAscii } from "./ascii.ts";
import { LaunchError } from "./launch-error.ts";

const SOURCE_MAP = "//# sourceMappingURL=";
/** Shorter files gain nothing by standing in for each other. */
const LEAST_LENGTH = 2_000;

/**
 * Makes the server's built pages small where they lie: without spaces and long names, and the same text once, since Next writes it
 * for every route. What stays is ASCII, see {@link toAscii}. 65 MB became 8.5, and the server
 * over 100,000 trials keeps 115 MB alive instead of 245. Every calculation stays as it is: the order of operands is what makes
 * figures exact.
 *
 * @param folder - what Next built
 * @throws LaunchError `step-failed` with the file that is no script
 */
export async function shortenPages(folder: string): Promise<void> {
  const firstOf = new Map<string, string>();
  for (const file of globSync("server/**/*.{js,map}", { cwd: folder })) {
    const path = join(folder, file);
    if (file.endsWith(".map")) {
      rmSync(path);
      continue;
    }
    const text = withoutSourceMap(readFileSync(path, "utf8").trimEnd());
    const key = `${dirname(file)}\0${text}`;
    const first = firstOf.get(key);
    if (first === undefined) {
      if (text.length > LEAST_LENGTH) firstOf.set(key, basename(file));
      writeFileSync(path, await shorten(file, text));
    } else writeFileSync(path, `module.exports=require("./${first}");`);
  }
}

/** The line that names a map is the last one where there is any; the same words may stand in code. */
function withoutSourceMap(text: string): string {
  const last = text.lastIndexOf("\n") + 1;
  return text.startsWith(SOURCE_MAP, last) ? text.slice(0, last) : text;
}

async function shorten(file: string, text: string): Promise<string> {
  const { code, errors } = await minify(file, text, {
    compress: false,
    mangle: { toplevel: false },
    codegen: { removeWhitespace: true },
  });
  if (errors.length > 0) throw new LaunchError("step-failed", `${file}: ${errors[0]?.message ?? ""}`);
  return toAscii(code);
}
