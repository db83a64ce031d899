export function handOver(nodePath: string, entry: string): void;
