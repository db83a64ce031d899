import { stampFile, stampGuarded } from "../file-stamp";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import type { StringPool } from "../string-pool";

/** In front of a probe: the file was there and may not be opened, so a change of rights or owner counts too. */
const GUARDED = "~";

/**
 * The stamp of a trial folder as `probes` see it now; another one than that of its reading means that it must be read again.
 *
 * Costs one lstat a probe.
 */
export function stampTrial(root: LoadRoot, folder: string, probes: readonly string[]): string {
  return probes.map((probe) => stampProbe(root, folder, probe)).join("|");
}

function stampProbe(root: LoadRoot, folder: string, probe: string): string {
  return probe.startsWith(GUARDED)
    ? stampGuarded(root, joinFolder(folder, probe.slice(GUARDED.length)))
    : stampFile(root, joinFolder(folder, probe));
}

/** Gathers what a reading looked at, with the stamps from before it looked inside. */
export class ProbeLog {
  private readonly probes: string[] = [];
  private readonly stamps: string[] = [];

  /** Adds a path relative to the trial folder, once. */
  add(path: string, stamp: string, isDenied = false): void {
    const probe = isDenied ? GUARDED + path : path;
    if (this.probes.includes(probe)) return;
    this.probes.push(probe);
    this.stamps.push(stamp);
  }

  /** The probes and stamp of a reading. */
  close(pool: StringPool): { readonly probes: readonly string[]; readonly stamp: string } {
    return { probes: pool.shareList(this.probes), stamp: this.stamps.join("|") };
  }
}
