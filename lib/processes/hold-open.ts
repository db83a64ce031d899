import type { ChildProcess } from "node:child_process";

/** Says whether a process keeps this program alive. */
export function holdOpen(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
