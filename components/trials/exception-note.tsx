import type { ReactNode } from "react";

import { TextLines } from "@/components/trajectory/text-lines";
import type { TextBlock } from "@/lib/domain/trial-file";

/** The exception of a trial or step: type and message, and the traceback folded away. */
export function ExceptionNote({
  type,
  message,
  traceback,
  when,
}: {
  type: string;
  message: TextBlock;
  traceback: TextBlock | null;
  when: ReactNode;
}) {
  return (
    <div className="exception-note">
      <p className="exception-head">
        <svg className="mark-errored" width={12} height={12} aria-hidden="true">
          <use href="#mark-errored" />
        </svg>
        <b>{type}</b>
        <span className="muted">{when}</span>
      </p>
      {message.lines.length === 0 ? (
        <p className="caption">The exception has no message.</p>
      ) : (
        <pre className="exception-message" tabIndex={0}>
          <TextLines lines={message.lines} />
        </pre>
      )}
      {message.cutNote === null ? null : <p className="caption">{message.cutNote}</p>}
      {traceback === null ? null : (
        <details>
          <summary>Traceback, {traceback.totalLines} lines</summary>
          <pre className="step-pre" tabIndex={0}>
            <TextLines lines={traceback.lines} />
          </pre>
          {traceback.cutNote === null ? null : <p className="caption">{traceback.cutNote}</p>}
        </details>
      )}
    </div>
  );
}
