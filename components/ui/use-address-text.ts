import type { Route } from "next";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type RefObject, use, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";

import { buildHref } from "@/lib/pages/address/href";

import { ChangeContext } from "./use-queued-clicks";

type Values = Readonly<Record<string, string>>;

/** Replaces the values of a query; empty ones are removed. */
export function changeQuery(query: { toString: () => string }, values: Values): URLSearchParams {
  const changed = new URLSearchParams(query.toString());
  for (const [name, value] of Object.entries(values)) {
    changed.delete(name);
    if (value !== "") changed.set(name, value);
  }
  return changed;
}

export function queryHref(pathname: string, query: URLSearchParams): Route {
  return buildHref(query.size === 0 ? pathname : `${pathname}?${query.toString()}`);
}

/** A field's text that is also in the URL as `name`, where it is written after a pause in typing. `resets` are removed with it. */
export function useAddressText(
  name: string,
  { resets, pauseMs }: { resets: readonly string[]; pauseMs: number },
) {
  const router = useRouter();
  const pathname = usePathname();
  const shown = useSearchParams();
  const [pending, startTransition] = useTransition();
  const beginChange = use(ChangeContext);
  const [next, setNext] = useState<URLSearchParams>(shown);
  // A pending change builds on the one before, not on the page still shown.
  const query: Pick<URLSearchParams, "get" | "toString"> = pending ? next : shown;
  const inAddress = shown.get(name) ?? "";
  const [text, setText] = useState(inAddress);
  const [asked, setAsked] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Follows links and the back button, but never overwrites typed text.
  if (inAddress !== seen) {
    setSeen(inAddress);
    if (inAddress !== asked) {
      setText(inAddress);
      setAsked(inAddress);
    }
  }

  function apply(typed: string, others: Values = {}) {
    clearTimeout(timer.current);
    const reset = Object.fromEntries(resets.map((one) => [one, ""]));
    const changed = changeQuery(query, { ...reset, ...others, [name]: typed.trim() });
    setAsked(typed.trim());
    setNext(changed);
    startTransition(() => router.replace(queryHref(pathname, changed), { scroll: false }));
    beginChange();
  }

  function type(typed: string, waitMs = pauseMs) {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(typed), waitMs);
  }

  function flush() {
    clearTimeout(timer.current);
    if (text.trim() !== asked) apply(text);
  }

  const field = useRef<HTMLInputElement>(null);
  useEarlyText(field, text, type);
  return { field, text, inAddress, query, pending, type, apply, flush };
}

/** Recovers text typed before hydration, which React keeps in the field but does not report and drops at the next change. */
function useEarlyText(
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
