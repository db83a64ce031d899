export interface Progress {
  readonly elapsedMs: () => number;
  readonly stop: (line?: string) => void;
}

export function formatElapsed(elapsedMs: number): string;

export function showProgress(title: string, out?: NodeJS.WriteStream): Progress;
