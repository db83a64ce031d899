"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useRef } from "react";

/** End of the step window that came into view; a row near it has this mark. */
export type WindowEnd = "previous" | "next";

/** Root margins: everything beyond an end counts as seen, for jumps. */
const SEEN = { previous: "0px 0px 1000000px 0px", next: "1000000px 0px 0px 0px" } as const;

/** Slides the window of steps while scrolling, so that the document stays small. `previous` and `next` are null at the ends. */
export function SlideWindow({ previous, next }: { previous: Route | null; next: Route | null }) {
  const router = useRouter();
  const lastEnd = useRef<WindowEnd>("next");
  useEffect(() => {
    const observers = [watch("previous", previous), watch("next", next)];
    return () => observers.forEach((observer) => observer?.disconnect());

    function watch(end: WindowEnd, href: Route | null): IntersectionObserver | null {
      const row = document.querySelector(`[data-window-end=${end}]`);
      if (row === null || href === null) return null;
      // With both ends in view the window would oscillate: only its current direction is enabled at once.
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
