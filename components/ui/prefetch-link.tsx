"use client";

import type { Route } from "next";
import Link from "next/link";
import { type ComponentProps, useState } from "react";

/** Prefetches only under the pointer or focus; others would refetch after every change on disk. */
export function PrefetchLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, "href"> & { href: Route }) {
  const [isActive, setIsActive] = useState(false);
  return (
    <Link
      {...rest}
      href={href}
      prefetch={isActive ? null : false}
      onPointerEnter={() => setIsActive(true)}
      onPointerLeave={() => setIsActive(false)}
      onFocus={() => setIsActive(true)}
      onBlur={() => setIsActive(false)}
    />
  );
}
