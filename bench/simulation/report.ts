interface Limits {
  readonly low: number;
  readonly high: number;
}

/** Counts how often limits contain the truth; refusals are counted separately. */
export class Cover {
  #held = 0;
  #given = 0;
  #asked = 0;

  add(limits: Limits | { readonly kind: "unavailable" }, truth: number): void {
    this.#asked++;
    if (!("low" in limits)) return;
    this.#given++;
    if (limits.low <= truth && truth <= limits.high) this.#held++;
  }

  get share(): number {
    return this.#held / this.#given;
  }

  get refused(): number {
    return 1 - this.#given / this.#asked;
  }
}

export function formatShare(share: number): string {
  return Number.isNaN(share) ? "—" : (100 * share).toFixed(1);
}

export function printRow(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

export function printHead(title: string, ...cells: readonly string[]): void {
  console.log(`\n### ${title}\n`);
  printRow(...cells);
  printRow(...cells.map(() => "---"));
}
