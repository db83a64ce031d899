/** A command line that asks for nothing that can be done. Printed as one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
