/** Whoever waits takes a long silence for a process that hangs, however slow the disk is. */
const REPORT_EVERY_MS = 100;

/** Counts trials that were read and tells of them ten times a second at most. */
export class ProgressReport {
  private readonly onTrials: (n: number) => void;
  private n = 0;
  private toldAt = performance.now();

  /** @param onTrials - takes the number of trials since its last call, which may be 0 */
  constructor(onTrials: (n: number) => void) {
    this.onTrials = onTrials;
  }

  /** One more was read. */
  add(): void {
    this.n++;
    this.goOn();
  }

  /** No more was read, and work goes on. */
  goOn(): void {
    if (performance.now() - this.toldAt >= REPORT_EVERY_MS) this.tell();
  }

  /** Tells now, since something else begins that takes a while, or everything is done. */
  tell(): void {
    this.onTrials(this.n);
    this.n = 0;
    this.toldAt = performance.now();
  }
}
