export type LaunchErrorCode =
  | "bad-argument"
  | "folder-missing"
  | "not-built"
  | "port-taken"
  | "no-accounts"
  | "listen-failed"
  | "step-failed";

/** A launch that cannot go on; the message says what to do and is printed as it is, without a stack. */
export class LaunchError extends Error {
  readonly code: LaunchErrorCode;

  constructor(code: LaunchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchError";
    this.code = code;
  }
}
