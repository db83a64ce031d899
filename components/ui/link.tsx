import type { Route } from "next";
import NextLink from "next/link";
import type { ComponentProps } from "react";

/** `push` adds an entry, `stay` also keeps the scroll position, `replace` replaces the entry and keeps it too. */
export type NavigationMode = "push" | "stay" | "replace";

/** Never prefetches: a list has hundreds of links. */
export function Link({
  href,
  mode = "push",
  ...rest
}: Omit<ComponentProps<typeof NextLink>, "href"> & { href: Route; mode?: NavigationMode }) {
  return (
    <NextLink
      data-queued={mode === "replace" ? "" : undefined}
      {...rest}
      href={href}
      prefetch={false}
      replace={mode === "replace"}
      scroll={mode === "push"}
    />
  );
}
