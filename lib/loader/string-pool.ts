/** Keeps one copy of strings that many trials repeat: names of agents, models, tasks, datasets and exceptions. */
export class StringPool {
  private readonly strings = new Map<string, string>();
  private readonly lists = new Map<string, readonly string[]>();

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

  /** The pooled copy of a list of texts without NUL. */
  shareList(texts: readonly string[]): readonly string[] {
    const key = texts.join("\0");
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    this.lists.set(key, texts);
    return texts;
  }
}
