const MIB = 1 << 20;
const VALUE_BYTES = 32;
/** Per trial: nearly twice what one needs whose files both have forty rewards. */
const FREE_BYTES = { values: 16 << 10, texts: 4 << 10 };

/** Limits memory across trials, which per-file limits do not. Ordinary trials are free, so a large one never evicts them. */
export class MemoryBudget {
  private readonly mostBytes: number;
  private leftBytes: number;

  /** @param mostBytes - for all trials of a reading; processing takes several times as much, within 2 GiB */
  constructor(mostBytes = 256 * MIB) {
    this.mostBytes = mostBytes;
    this.leftBytes = mostBytes;
  }

  /** Takes a reading's bytes above the free amounts, or returns why it does not fit. */
  take(reading: object): string | null {
    const bytes = countBytes(reading);
    if (bytes <= this.leftBytes) {
      this.leftBytes -= bytes;
      return null;
    }
    const left = `${Math.floor(this.leftBytes / MIB)} of ${this.mostBytes / MIB} MiB are left`;
    return `Its files need more memory than the trials read before it leave: ${left}. The files can be opened one by one.`;
  }
}

/** Counts texts apart, because those of a job of many trials take more memory than its values. */
function countBytes(reading: object): number {
  let [values, texts] = [0, 0];
  const add = (value: unknown): void => {
    values += VALUE_BYTES;
    if (typeof value === "string") texts += value.length;
    else if (value instanceof Map)
      for (const [key, one] of value) {
        add(key);
        add(one);
      }
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(add);
  };
  add(reading);
  return Math.max(0, values - FREE_BYTES.values) + Math.max(0, texts - FREE_BYTES.texts);
}
