/** Why one value cannot be read: pydantic's type of the error and its message. */
export class Fault {
  readonly code: string;
  readonly message: string;

  constructor(code: string, message: string) {
    this.code = code;
    this.message = message;
  }
}
