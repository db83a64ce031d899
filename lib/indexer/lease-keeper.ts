import { hostname } from "node:os";

import { type IndexStore, LEASE_MS, returnLease, takeLease } from "@/lib/store";

interface LeaseOptions {
  readonly store: IndexStore;
  /** See {@link nameHolder}. */
  readonly holder: string;
  /** The clock; milliseconds since 1970-01-01. */
  readonly now: () => number;
  /** Called when the lease was somebody else's before: what is known of the index may be old. */
  readonly onTaken: () => void;
}

/** The right of one program to write an index. */
export class LeaseKeeper {
  /** Whether it was given back for good. */
  isReleased = false;
  private readonly options: LeaseOptions;
  private renewal: NodeJS.Timeout | null = null;

  constructor(options: LeaseOptions) {
    this.options = options;
  }

  /** Takes or renews it. @returns whether we may write */
  async take(): Promise<boolean> {
    const { store, holder, now, onTaken } = this.options;
    const state = await takeLease(store, holder, now(), isDeadHolder);
    if (state === "taken") onTaken();
    return state !== "other";
  }

  /** Renews it until {@link stopHolding}: a scan or a reading may take longer than a lease. */
  hold(): void {
    const renew = () => void this.take().catch(() => undefined);
    this.renewal ??= setInterval(renew, LEASE_MS / 3).unref();
  }

  stopHolding(): void {
    if (this.renewal !== null) clearInterval(this.renewal);
    this.renewal = null;
  }

  /** Lets another program take over once `stopWork` has settled. */
  async release(stopWork: () => Promise<void>): Promise<void> {
    this.isReleased = true;
    this.stopHolding();
    await stopWork();
    await returnLease(this.options.store, this.options.holder);
  }
}

/** How this program calls itself as the holder of a lease; its own processes go by the same name. */
export function nameHolder(): string {
  return `${hostname()}:${process.pid}`;
}

/** Whether the holder of a lease was a process of this machine that is gone. */
function isDeadHolder(holder: string): boolean {
  const at = holder.lastIndexOf(":");
  const pid = Number(holder.slice(at + 1));
  if (holder.slice(0, at) !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
