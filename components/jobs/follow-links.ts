"use client";

import { useRouter } from "next/navigation";
import type { MouseEvent } from "react";

import { readFollowedHref } from "@/components/ui/followed-href";

/**
 * Follows plain links below the element that it handles clicks of without a new document. A table may have a thousand
 * links; one handler for all of them costs nothing to draw.
 */
export function useFollowLinks(): (event: MouseEvent<HTMLElement>) => void {
  const router = useRouter();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link === null ? null : readFollowedHref(event.nativeEvent, link, location.origin);
    if (href === null) return;
    event.preventDefault();
    router.push(href);
  };
}
