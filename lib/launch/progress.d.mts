/** What {@link showProgress} hands back. */
export interface Progress {
  /** Milliseconds since the start. */
  readonly elapsedMs: () => number;
  /** Ends the progress line and prints `line` in its place when given. */
  readonly stop: (line?: string) => void;
}

/** Milliseconds as `0.4 s` or `2 min 05 s`. */
export function formatElapsed(elapsedMs: number): string;

/** Says what is going on while something runs; silent for anything shorter than a second. */
export function showProgress(title: string, out?: NodeJS.WriteStream): Progress;
