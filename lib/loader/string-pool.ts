/** Keeps one copy of strings that many trials repeat: names of agents, models, tasks, datasets and exceptions. */
export class StringPool {
  private readonly strings = new Map<string, string>();

  /** The pooled copy of `text`; null and undefined become null. */
  share(text: string | null | undefined): string | null {
    return text === null || text === undefined ? null : this.shareText(text);
  }

  /** The pooled copy of `text`. */
  shareText(text: string): string {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    this.strings.set(text, text);
    return text;
  }
}
