import type { Route } from "next";

import { buildHref } from "@/lib/addresses/href";

type Click = Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey" | "defaultPrevented">;
type Link = Pick<HTMLAnchorElement, "origin" | "pathname" | "search" | "hash" | "target" | "hasAttribute">;

/**
 * Address that a plain click on a plain link leads to, its fragment included; null for what the browser is to do itself:
 * a new tab or window, a download, another site.
 *
 * @param origin - of the open page
 */
export function readFollowedHref(click: Click, link: Link, origin: string): Route | null {
  const isPlainClick =
    click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
  const isPlainLink = link.origin === origin && link.target === "" && !link.hasAttribute("download");
  if (!isPlainClick || !isPlainLink || click.defaultPrevented) return null;
  return buildHref(`${link.pathname}${link.search}${link.hash}`);
}
