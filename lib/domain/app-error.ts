/** An expected failure of a verb or query. `message` is one sentence: what is wrong and what to do. */
export abstract class AppError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Something asked for by key is not there. */
export class NotFoundError extends AppError {
  readonly code = "not_found";
}

/** Input that a rule refuses; `fields` maps each field's name to its sentence. */
export class ValidationError extends AppError {
  readonly code = "invalid";
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, fields: Readonly<Record<string, string>>) {
    super(message);
    this.fields = fields;
  }
}

/** Somebody else's write came first. `current` is what is stored now, so that both sides can be shown. */
export class ConflictError<T> extends AppError {
  readonly code = "conflict";
  readonly current: T;

  constructor(message: string, current: T) {
    super(message);
    this.current = current;
  }
}

/** The files of something could not be read as a whole; its own sentence says why. */
export class ReadingError extends AppError {
  readonly code = "reading_failed";
}

/** It belongs to somebody else, who alone may change it. */
export class ForbiddenError extends AppError {
  readonly code = "forbidden";
}

const STORE_FAILURES = [
  "store_locked",
  "store_read_only",
  "store_full",
  "store_corrupt",
  "store_foreign",
  "store_too_new",
  "store_inside_job",
  "store_unavailable",
  // One queue of it alone.
  "queue_unreadable",
] as const;

/** Why the store could not be read or written. A closed list: pages and the CLI switch on it. */
export type StoreFailure = (typeof STORE_FAILURES)[number];

const STORE_DIGEST = "store failure: ";

/** Returns the sentence of a {@link StoreError} of which the browser was told the digest alone; null for any other digest. */
export function readStoreDigest(digest: string | undefined): string | null {
  return digest?.startsWith(STORE_DIGEST) === true ? digest.slice(STORE_DIGEST.length) : null;
}

/** A store cannot be read or written. Nothing was changed. */
export class StoreError extends AppError {
  readonly code: StoreFailure;
  /** All that a page's error boundary is told of an error on the server; see {@link readStoreDigest}. */
  readonly digest: string;

  /** By the code: pages and route handlers are bundled apart, each with a class of its own, and share one open store. */
  static override [Symbol.hasInstance](value: unknown): value is StoreError {
    return value instanceof Error && "code" in value && STORE_FAILURES.some((code) => code === value.code);
  }

  constructor(code: StoreFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.digest = STORE_DIGEST + message;
  }
}
