/** pydantic's error type and message for a value that cannot be read. */
export class Fault {
  readonly code: string;
  readonly message: string;

  constructor(code: string, message: string) {
    this.code = code;
    this.message = message;
  }
}
