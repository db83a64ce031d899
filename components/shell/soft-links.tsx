"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

import { readFollowedHref } from "@/components/ui/followed-href";

/** Follows every `SoftLink` of the document without a new document. Draws nothing. */
export function SoftLinks() {
  const router = useRouter();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const way = link?.dataset["soft"];
      if (link === null || way === undefined) return;
      const href = readFollowedHref(event, link, location.origin);
      if (href === null) return;
      event.preventDefault();
      if (way === "replace") router.replace(href, { scroll: false });
      else router.push(href, { scroll: way === "push" });
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [router]);
  return null;
}
