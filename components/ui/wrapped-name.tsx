import { Fragment } from "react";

const TIME = /(\d{4}-?\d\d-?\d\d(?:[-_T]{1,2}\d\d-?\d\d-?\d\d)?)/u;

/** A name that may take several lines. It breaks after "-" and "_", but not within a time, as browsers would. */
export function WrappedName({ name }: { name: string }) {
  return name.split(TIME).map((part, at) => (
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {at % 2 === 1 ? <span className="nowrap">{part}</span> : breakWords(part)}
    </Fragment>
  ));
}

function breakWords(text: string) {
  return text
    .split(/(?<=[-_])(?![-_])/u)
    .flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}
