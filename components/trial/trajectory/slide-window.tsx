"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useRef } from "react";

/** The end of a window of steps that comes into view: a row near it is marked with this. */
export type WindowEnd = "previous" | "next";

/** What counts as seen of each end: all that lies behind it too, where somebody jumps to. */
const SEEN = { previous: "0px 0px 1000000px 0px", next: "1000000px 0px 0px 0px" } as const;

/**
 * Moves the window of steps along as one scrolls, so that a trace of any length reads as one list while the document holds one
 * window of it. The browser keeps the rows in view where they are. Draws nothing; the links at both ends lead on without it.
 *
 * @param previous - a window further up that has the rows in view too; null at the beginning
 * @param next - the same further down; null at the end
 */
export function SlideWindow({ previous, next }: { previous: Route | null; next: Route | null }) {
  const router = useRouter();
  const lastEnd = useRef<WindowEnd>("next");
  useEffect(() => {
    const observers = [watch("previous", previous), watch("next", next)];
    return () => observers.forEach((observer) => observer?.disconnect());

    function watch(end: WindowEnd, href: Route | null): IntersectionObserver | null {
      const row = document.querySelector(`[data-window-end=${end}]`);
      if (row === null || href === null) return null;
      // Where both ends are in view, the window would move to and fro: only the way it moves already is open at once.
      let isArmed = lastEnd.current === end;
      const observer = new IntersectionObserver(
        (entries) => {
          if (!entries.some(({ isIntersecting }) => isIntersecting)) isArmed = true;
          else if (isArmed) {
            isArmed = false;
            lastEnd.current = end;
            startTransition(() => router.replace(href, { scroll: false }));
          }
        },
        { rootMargin: SEEN[end] },
      );
      observer.observe(row);
      return observer;
    }
  }, [router, previous, next]);
  return null;
}
