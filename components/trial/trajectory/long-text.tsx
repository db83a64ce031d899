"use client";

import { type ReactNode, useState } from "react";

import { Link } from "@/components/ui/link";
import { Preformatted } from "@/components/ui/preformatted";
import type { TextLine } from "@/lib/core/domain/trial-file";

import type { MoreLinks } from "../json-tree";
import { ProseLines, type Reading, TextLines } from "./text-lines";

export function LongText({
  children,
  rest,
  totalLines,
  cutNote,
  more,
  reading,
  isInCode = false,
  className,
}: {
  children: ReactNode;
  rest: readonly TextLine[];
  totalLines: number;
  cutNote: string | null;
  more: MoreLinks;
  reading: Reading | "prose";
  /** For prose: true if the rest begins inside a code block. */
  isInCode?: boolean;
  className: string;
}) {
  const [isOpen, setOpen] = useState(more.isUnfolded);
  const words =
    cutNote === null
      ? `Show all ${totalLines.toLocaleString("en")} lines`
      : `Show ${rest.length.toLocaleString("en")} more lines`;
  return (
    <>
      <Preformatted
        className={className}
        tabIndex={0}
        data-line={more.line}
        data-more={isOpen ? undefined : rest.length}
        data-cut={cutNote ?? undefined}
      >
        {children}
        {!isOpen ? null : reading === "prose" ? (
          <ProseLines lines={rest} isInCode={isInCode} />
        ) : (
          <TextLines lines={rest} reading={reading} />
        )}
      </Preformatted>
      <span className="step-more">
        {isOpen || rest.length === 0 ? (
          cutNote === null ? (
            <button type="button" className="text-button" onClick={() => setOpen(false)}>
              Show less
            </button>
          ) : (
            <span className="caption">
              {cutNote} <Link href={more.step}>Open the step</Link> {more.all}
            </span>
          )
        ) : (
          <button type="button" className="text-button" aria-expanded={false} onClick={() => setOpen(true)}>
            {words}
          </button>
        )}
      </span>
    </>
  );
}
