import type { ReactNode } from "react";

import { TextLines } from "./trajectory/text-lines";
import { Mark } from "@/components/ui/mark";
import { TimeText } from "@/components/ui/time-text";
import { selectExceptionMark } from "@/lib/domain/exception-cause";
import type { ExceptionView, TrialPage } from "@/lib/queries/trial/page";

import { ShowAllOf } from "./show-all-of";

/** The exceptions of a trial and its steps: type and message, and the traceback folded away. */
export function ExceptionNotes({ page }: { page: TrialPage }) {
  return page.exceptions.map((exception, at) => (
    <ExceptionNote key={at} exception={exception}>
      <ShowAllOf page={page} file={page.recordFile} />
    </ExceptionNote>
  ));
}

function ExceptionNote({ exception, children }: { exception: ExceptionView; children: ReactNode }) {
  const { type, message, traceback, step, at } = exception;
  const mark = selectExceptionMark(type);
  return (
    <div className={`exception-note exception-${mark}`}>
      <p className="exception-head">
        <Mark status={mark} />
        <b>{type}</b>
        <span className="muted">
          {step === null ? null : `step ${step}`}
          {step === null || at === null ? null : ", "}
          {at === null ? null : <TimeText time={at} />}
        </span>
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
          <summary>Traceback</summary>
          <pre className="step-pre" tabIndex={0}>
            <TextLines lines={traceback.lines} />
          </pre>
          {traceback.cutNote === null ? null : <p className="caption">{traceback.cutNote}</p>}
        </details>
      )}
      {children}
    </div>
  );
}
