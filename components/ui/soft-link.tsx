import type { Route } from "next";
import type { AnchorHTMLAttributes } from "react";

/**
 * How a link is followed: as a new place, as one that keeps the scroll position, or instead of the open one, which keeps
 * it too.
 */
export type SoftWay = "push" | "stay" | "replace";

/**
 * A link to another page of Assay. It is a plain one: one handler for the whole document (`SoftLinks` of the shell) follows
 * it without a new document, so that menus and headings of dozens of links cost no component each. It never fetches ahead.
 */
export function SoftLink({
  href,
  way = "push",
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { href: Route; way?: SoftWay }) {
  return (
    <a {...rest} href={href} data-soft={way}>
      {children}
    </a>
  );
}
