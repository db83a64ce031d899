import type { Route } from "next";
import NextLink from "next/link";
import type { ComponentProps } from "react";

/** How a link is followed: as a new place, as one that keeps the scroll position, or instead of the open one, which keeps it too. */
export type NavigationMode = "push" | "stay" | "replace";

/** A link to another page of Assay, which never fetches ahead: a list has hundreds. */
export function Link({
  href,
  mode = "push",
  ...rest
}: Omit<ComponentProps<typeof NextLink>, "href"> & { href: Route; mode?: NavigationMode }) {
  return (
    <NextLink {...rest} href={href} prefetch={false} replace={mode === "replace"} scroll={mode === "push"} />
  );
}
