const MIB = 1 << 20;
/** Twice the size of a trial whose files both hold forty rewards. */
const FREE_BYTES = 32 << 10;
/** Limit for all trials of a reading. Processing takes several times as much, within 2 GiB. */
const MOST_BYTES = 256 * MIB;

const ENTRY_BYTES = 32;

/** Limits memory across trials, which per-file limits do not. Ordinary trials are free, so a large one never evicts them. */
export class MemoryBudget {
  private readonly mostBytes: number;
  private leftBytes: number;

  constructor(mostBytes: number = MOST_BYTES) {
    this.mostBytes = mostBytes;
    this.leftBytes = mostBytes;
  }

  /** Estimates a reading's bytes above the free amount, up to the whole budget. */
  measure(reading: object): number {
    return Math.max(0, estimateBytes(reading, FREE_BYTES + this.mostBytes) - FREE_BYTES);
  }

  take(bytes: number): string | null {
    if (bytes <= this.leftBytes) {
      this.leftBytes -= bytes;
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
    else if (Array.isArray(value)) for (const one of value) waiting.push(one);
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) waiting.push(one);
  }
  return bytes;
}
