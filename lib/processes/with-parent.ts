import { setImmediate } from "node:timers/promises";

/**
 * Has this process end when whoever started it does. The terminal tells every process of a program to end; this one waits until
 * its program has.
 */
export function endWithParent(): void {
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
}

/** Lets this process hear that it is to end, which long work keeps it from. To be called before anything is written. */
export async function hearOfParent(): Promise<void> {
  await setImmediate();
}
