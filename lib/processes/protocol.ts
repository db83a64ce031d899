import type { FileVersion, SetAsideFile } from "@/lib/loader/large-files";

export interface Order<Request> {
  readonly request: Request;
  /** Files that must not be read, all of them each time. */
  readonly setAside: readonly SetAsideFile[];
  /** Whether a process ended over it, so that it is to tell at which trial it is. */
  readonly isSecondTry: boolean;
}

/** What a process with limits says when it begins to parse a large file, or has done with it. */
export interface AtFile {
  readonly kind: "at-file";
  readonly file: FileVersion | null;
}

/** What a process of a pool says while it works: any number of `progress`, then one of the others. Errors lose their class. */
export type Report<Answer> =
  | { readonly kind: "progress"; readonly n: number }
  | { readonly kind: "done"; readonly answer: Answer }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly code: string | null;
      readonly stack: string | null;
    };
