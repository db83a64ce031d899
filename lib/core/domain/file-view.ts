import type { FilePreview, FileWindow } from "./file-preview";
import type { LoadIssue } from "./load-issue";
import type { TextLine } from "./trial-file";

export const FILE_FORMS = ["preview", "text", "hex"] as const;

export type FileForm = (typeof FILE_FORMS)[number];

/** `line` takes precedence over `from`. */
export interface FilePart {
  readonly line: number | null;
  /** Byte offset where the part begins, or ends with `end`; null for the start or end of the file. */
  readonly from: number | null;
  readonly end: "start" | "end";
}

/** Rows of a text that are safe to display, a long line in several. */
export interface TextWindow extends FileWindow {
  readonly lines: readonly TextLine[];
  readonly goesOn: readonly number[];
  readonly firstLine: number | null;
}

export type FileContent =
  | {
      readonly kind: "text";
      readonly text: TextWindow;
      readonly sought: number | null;
    }
  | { readonly kind: "hex"; readonly hex: FileWindow & { readonly rows: readonly string[] } }
  | { readonly kind: "preview"; readonly preview: FilePreview }
  | { readonly kind: "image" | "audio" | "video" }
  | { readonly kind: "closed"; readonly what: string };

export type TrialFileView =
  | { readonly kind: "problem"; readonly path: string; readonly issue: LoadIssue }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly sizeBytes: number;
      readonly content: FileContent;
      readonly form: FileForm;
      readonly forms: readonly FileForm[];
      readonly note: string | null;
    };
