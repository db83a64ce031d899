import { hostname } from "node:os";

import { type IndexStore, LEASE_MS, returnLease, takeLease } from "@/lib/store/tables";

interface LeaseOptions {
  readonly store: IndexStore;
  readonly holder: string;
  readonly now: () => number;
  /** Called after another program held the lease: the known index state may be outdated. */
  readonly onTaken: () => void;
}

export class LeaseKeeper {
  /** True after the final release. */
  isReleased = false;
  private readonly options: LeaseOptions;
  private renewal: NodeJS.Timeout | null = null;

  constructor(options: LeaseOptions) {
    this.options = options;
  }

  async take(): Promise<boolean> {
    const { store, holder, now, onTaken } = this.options;
    const state = await takeLease(store, holder, now(), isDeadHolder);
    if (state === "taken") onTaken();
    return state !== "other";
  }

  /** Renews the lease until {@link stopHolding}, since a scan or reading may outlast it. */
  hold(): void {
    const renew = () => void this.take().catch(() => undefined);
    this.renewal ??= setInterval(renew, LEASE_MS / 3).unref();
  }

  stopHolding(): void {
    if (this.renewal !== null) clearInterval(this.renewal);
    this.renewal = null;
  }

  /** Returns the lease after `stopWork` settles. */
  async release(stopWork: () => Promise<void>): Promise<void> {
    this.isReleased = true;
    this.stopHolding();
    await stopWork();
    await returnLease(this.options.store, this.options.holder);
  }
}

export function nameHolder(): string {
  return `${hostname()}:${process.pid}`;
}

/** True if the holder was a process of this machine that is gone. */
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
