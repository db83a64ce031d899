import { LRUCache } from "lru-cache";

export interface KnownName {
  readonly isLarge: boolean;
  /** Until when it is not asked again, on the clock of `performance`; 0 when it never ran out of time. */
  readonly refusedUntil: number;
}

/** Names that are remembered. With one more the oldest is forgotten, and gets memory and time like any other. */
const MOST_NAMES = 1_000;
const UNKNOWN: KnownName = { isLarge: false, refusedUntil: 0 };

/** What was found out about names, the last thousand of them. */
export class KnownNames {
  private readonly names = new LRUCache<string, KnownName>({ max: MOST_NAMES });

  /** What is known of a name; nothing without one. */
  recall(name: string | undefined): KnownName {
    return (name === undefined ? undefined : this.names.get(name)) ?? UNKNOWN;
  }

  /** Takes note of what was found out about a name; of nothing without one. */
  remember(name: string | undefined, news: Partial<KnownName>): void {
    if (name === undefined) return;
    this.names.set(name, { ...this.recall(name), ...news });
  }
}
