import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** An invalid command line. Printed as one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError for an option that the command does not have or that lacks its value */
export function parseCommandLine<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [sentence = error.message] = error.message.split(". ");
    throw new UsageError(`${sentence.replace(/\.$/, "")}.`, { cause: error });
  }
}

/** @throws UsageError when there is none or several */
export function parseOnlyOperand(operands: readonly string[], name: string): string {
  const [operand, second] = operands;
  if (operand === undefined) throw new UsageError(`Name a ${name}.`);
  if (second !== undefined) throw new UsageError(`Name one ${name} only, not also ${second}.`);
  return operand;
}

/** @throws UsageError */
export function parseChoice<T extends string>(name: string, choices: readonly T[], what: string): T {
  const chosen = choices.find((one) => one === name);
  if (chosen !== undefined) return chosen;
  const others = choices.slice(0, -1).join(", ");
  throw new UsageError(`Unknown ${what} "${name}". It is ${others} or ${choices.at(-1) ?? ""}.`);
}

/** Does not round. @throws UsageError */
export function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}
