import type { FileVersion, SetAsideFile } from "@/lib/read/loader/large-files";

export interface Order<Request> {
  readonly request: Request;
  readonly setAside: readonly SetAsideFile[];
  /** True if a process ended over this request. The process then reports its current trial. */
  readonly isSecondTry: boolean;
}

/** Sent when a process starts to parse a large file, or with null when it is done. */
export interface AtFile {
  readonly kind: "at-file";
  readonly file: FileVersion | null;
}

/** Any number of `progress`, then one of the others. Errors lose their class. */
export type Report<Answer> =
  | { readonly kind: "progress"; readonly n: number }
  | { readonly kind: "done"; readonly answer: Answer }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly code: string | null;
      readonly stack: string | null;
    };
