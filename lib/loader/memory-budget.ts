const MIB = 1 << 20;
/** Twice what a trial of forty rewards takes, which both of its files say. */
const FREE_BYTES = 32 << 10;
/** What all trials of one reading may take beyond that. Computing with it takes several times as much, within 2 GiB. */
const MOST_BYTES = 256 * MIB;

/** What an entry of an object, a list or a map takes beside its value, and a text beside its characters. */
const ENTRY_BYTES = 32;

/**
 * How much the trials that one reading holds at the same time may take, since a limit for each file bounds none of it. What
 * an ordinary trial takes is never counted, so that a large trial cannot push others out.
 */
export class MemoryBudget {
  private readonly mostBytes: number;
  private leftBytes: number;

  constructor(mostBytes: number = MOST_BYTES) {
    this.mostBytes = mostBytes;
    this.leftBytes = mostBytes;
  }

  /** About how many bytes a trial's reading takes beyond what is free; counted no further than the whole budget. */
  measure(reading: object): number {
    return Math.max(0, estimateBytes(reading, FREE_BYTES + this.mostBytes) - FREE_BYTES);
  }

  /** Takes what {@link measure} counted out of the budget. @returns why it cannot be held, as one sentence; null when it can */
  take(bytes: number): string | null {
    if (bytes <= this.leftBytes) {
      this.leftBytes -= bytes;
      return null;
    }
    const left = `${Math.floor(this.leftBytes / MIB)} of ${this.mostBytes / MIB} MiB are left`;
    return `Its files need more memory than the trials read before it leave: ${left}. The files can be opened one by one.`;
  }
}

/** About how many bytes of memory plain data takes, a little more rather than less; counting ends above `most`. */
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
