"use client";

import { useRouter } from "next/navigation";
import type { MouseEvent } from "react";

import { buildHref } from "@/lib/format/href";

/**
 * Follows plain links below the element that it handles clicks of without a new document. A table may have a thousand
 * links; one handler for all of them costs nothing to draw.
 */
export function useFollowLinks(): (event: MouseEvent<HTMLElement>) => void {
  const router = useRouter();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    router.push(buildHref(`${link.pathname}${link.search}`));
  };
}
