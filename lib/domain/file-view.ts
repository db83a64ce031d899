import type { FilePreview, FileWindow } from "./file-preview";
import type { LoadIssue } from "./load-issue";
import type { TextLine } from "./trial-file";

/** How a file is shown: by what its type is, as text, or byte by byte. */
export const FILE_FORMS = ["preview", "text", "hex"] as const;

export type FileForm = (typeof FILE_FORMS)[number];

/** Which part of a file is read; the place of a line goes before that of a byte. */
export interface FilePart {
  /** From 1; null for none. */
  readonly line: number | null;
  /** Offset of the byte that the part begins at, or ends before with `end`; null for the whole file's start or end. */
  readonly from: number | null;
  readonly end: "start" | "end";
}

/** Some rows of a text that are safe to show, a long line in several. */
export interface TextWindow extends FileWindow {
  readonly lines: readonly TextLine[];
  /** Indexes of the rows that go on with the line of the row before. */
  readonly goesOn: readonly number[];
  /** Number of the line that the first row shows, from 1; null where counting would take too long. */
  readonly firstLine: number | null;
}

export type FileContent =
  | {
      readonly kind: "text";
      readonly text: TextWindow;
      /** Index of the row that was asked for; null for none. */
      readonly sought: number | null;
    }
  | { readonly kind: "hex"; readonly hex: FileWindow & { readonly rows: readonly string[] } }
  | { readonly kind: "preview"; readonly preview: FilePreview }
  | { readonly kind: "image" | "audio" | "video" }
  /** Nothing but its name: `what` says in a sentence what it is. */
  | { readonly kind: "closed"; readonly what: string };

/** A file of a trial, ready to be shown, or why it cannot be. */
export type TrialFileView =
  | { readonly kind: "problem"; readonly path: string; readonly issue: LoadIssue }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly sizeBytes: number;
      readonly content: FileContent;
      /** How it is shown, and how else it can be. */
      readonly form: FileForm;
      readonly forms: readonly FileForm[];
      /** What was asked for and could not be had, as sentences; null when all was. */
      readonly note: string | null;
    };
