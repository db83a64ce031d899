/** The parent process treats a long silence as a hang, even on a slow disk. */
const REPORT_EVERY_MS = 100;

export class ProgressReport {
  private readonly onTrials: (n: number) => void;
  private n = 0;
  private toldAt = performance.now();

  /** @param onTrials - takes the number of trials since its last call, which may be 0 */
  constructor(onTrials: (n: number) => void) {
    this.onTrials = onTrials;
  }

  add(): void {
    this.n++;
    this.goOn();
  }

  /** Shows activity without progress. */
  goOn(): void {
    if (performance.now() - this.toldAt >= REPORT_EVERY_MS) this.tell();
  }

  tell(): void {
    this.onTrials(this.n);
    this.n = 0;
    this.toldAt = performance.now();
  }
}
