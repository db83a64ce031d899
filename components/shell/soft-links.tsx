"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

import { buildHref } from "@/lib/format/href";

/** Follows every `SoftLink` of the document without a new document. Draws nothing. */
export function SoftLinks() {
  const router = useRouter();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const way = link?.dataset["soft"];
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (link === null || way === undefined || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      const href = buildHref(`${link.pathname}${link.search}${link.hash}`);
      if (way === "replace") router.replace(href, { scroll: false });
      else router.push(href, { scroll: way === "push" });
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [router]);
  return null;
}
