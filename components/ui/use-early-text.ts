import { type RefObject, useEffect, useEffectEvent } from "react";

/**
 * Takes what somebody typed into a field before the page's scripts ran: React keeps it in the field, but does not tell of it, and
 * drops it at the next change.
 *
 * @param text - what the field holds as far as React knows
 * @param take - does with early text what typing it would have done
 */
export function useEarlyText(
  field: RefObject<HTMLInputElement | null>,
  text: string,
  take: (typed: string) => void,
): void {
  const takeEarly = useEffectEvent(() => {
    const typed = field.current?.value;
    // A field leaves out the ends of lines that an address may hold.
    if (typed !== undefined && typed !== text.replaceAll(/[\n\r]/gu, "")) take(typed);
  });
  useEffect(() => takeEarly(), []);
}
