const MIB = 1 << 20;
/** Twice the size of a trial whose files both hold forty rewards. */
const FREE_BYTES = 32 << 10;
const ENTRY_BYTES = 32;

/** Limits memory across trials, which per-file limits do not. Ordinary trials are free, so a large one never evicts them. */
export class MemoryBudget {
  private readonly mostBytes: number;
  private leftBytes: number;

  /** @param mostBytes - for all trials of a reading; processing takes several times as much, within 2 GiB */
  constructor(mostBytes = 256 * MIB) {
    this.mostBytes = mostBytes;
    this.leftBytes = mostBytes;
  }

  /** Takes a reading's bytes above the free amount, or returns why it does not fit. */
  take(reading: object): string | null {
    const bytes = estimateBytes(reading, FREE_BYTES + this.leftBytes) - FREE_BYTES;
    if (bytes <= this.leftBytes) {
      this.leftBytes -= Math.max(0, bytes);
      return null;
    }
    const left = `${Math.floor(this.leftBytes / MIB)} of ${this.mostBytes / MIB} MiB are left`;
    return `Its files need more memory than the trials read before it leave: ${left}. The files can be opened one by one.`;
  }
}

function estimateBytes(data: unknown, most: number): number {
  const waiting: unknown[] = [data];
  let bytes = 0;
  while (waiting.length > 0 && bytes <= most) {
    const value = waiting.pop();
    bytes += ENTRY_BYTES;
    if (typeof value === "string") bytes += value.length;
    else if (value instanceof Map) for (const [key, one] of value) waiting.push(key, one);
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) waiting.push(one);
  }
  return bytes;
}
