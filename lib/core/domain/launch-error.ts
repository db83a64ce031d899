type LaunchErrorCode =
  | "bad-argument"
  | "folder-missing"
  | "not-built"
  | "port-taken"
  | "no-accounts"
  | "listen-failed"
  | "step-failed";

/** The message says what to do and is printed without a stack. */
export class LaunchError extends Error {
  readonly code: LaunchErrorCode;

  constructor(code: LaunchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchError";
    this.code = code;
  }
}
