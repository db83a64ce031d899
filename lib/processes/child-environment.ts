/** What opens doors of the program that is served, and is nothing to whoever parses what nobody vouches for. */
const SECRETS: ReadonlySet<string> = new Set(["ASSAY_TOKEN", "ASSAY_ADMIN_TOKEN"]);

/** The environment of a child process: this program's own without its tokens. */
export function readChildEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !SECRETS.has(name)),
  ) as NodeJS.ProcessEnv; // As it was, but for names that nothing asks of it.
}
