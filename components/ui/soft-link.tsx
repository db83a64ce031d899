import type { Route } from "next";
import Link from "next/link";
import type { ComponentProps } from "react";

/**
 * How a link is followed: as a new place, as one that keeps the scroll position, or instead of the open one, which keeps
 * it too.
 */
export type SoftWay = "push" | "stay" | "replace";

/** A link to another page of Assay, which never fetches ahead: a list has hundreds. */
export function SoftLink({
  href,
  way = "push",
  ...rest
}: Omit<ComponentProps<typeof Link>, "href"> & { href: Route; way?: SoftWay }) {
  return <Link {...rest} href={href} prefetch={false} replace={way === "replace"} scroll={way === "push"} />;
}
