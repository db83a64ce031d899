/** Runs `entry` on another Node with our terminal and arguments, passes signals on to it, and ends as it ends. */
export function handOver(nodePath: string, entry: string): void;
