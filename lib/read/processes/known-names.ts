import { LRUCache } from "lru-cache";

export interface KnownName {
  readonly isLarge: boolean;
  /** Requests fail until this time on the clock of `performance`; 0 if the name never timed out. */
  readonly refusedUntil: number;
}

/** The oldest name is evicted and then treated as new. */
const MOST_NAMES = 1_000;
const UNKNOWN: KnownName = { isLarge: false, refusedUntil: 0 };

export class KnownNames {
  private readonly names = new LRUCache<string, KnownName>({ max: MOST_NAMES });

  recall(name: string | undefined): KnownName {
    return (name === undefined ? undefined : this.names.get(name)) ?? UNKNOWN;
  }

  remember(name: string | undefined, news: Partial<KnownName>): void {
    if (name === undefined) return;
    this.names.set(name, { ...this.recall(name), ...news });
  }
}
