import { type RefObject, useEffect, useEffectEvent } from "react";

/** Recovers text typed before hydration, which React keeps in the field but does not report and drops at the next change. */
export function useEarlyText(
  field: RefObject<HTMLInputElement | null>,
  text: string,
  take: (typed: string) => void,
): void {
  const takeEarly = useEffectEvent(() => {
    const typed = field.current?.value;
    // A field drops line ends that a URL may contain.
    if (typed !== undefined && typed !== text.replaceAll(/[\n\r]/gu, "")) take(typed);
  });
  useEffect(() => takeEarly(), []);
}
