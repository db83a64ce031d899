export interface PoolRequest<Request> {
  readonly request: Request;
  /** True if it needs `largeMemoryMb` from the start. */
  readonly isLarge?: boolean;
  /** Requests of one affinity run one at a time, preferably in one process. After a timeout they fail for a while. */
  readonly affinity?: string | undefined;
  readonly onProgress?: ((n: number) => void) | undefined;
}

/** A process ended without an answer, and the file that it was reading is unknown. */
export class ProcessEndedError extends Error {}

/** An error that a process reported. `code` is that of its class, if any. */
export class RemoteError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null, stack: string | null) {
    super(message);
    this.code = code;
    if (stack !== null) this.stack = stack;
  }
}
