/** A name that may take several lines. It breaks after "-" and "_", but not within a number or a time. */
export function WrappedName({ name }: { name: string }) {
  return name
    .split(/(?<=[-_])(?![-_\d])/u)
    .flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}
