"use client";

import type { Route } from "next";
import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link that is fetched ahead only while the pointer or the focus is on it. Links in view are otherwise fetched again
 * with every change on disk, each a page of its own for the server to make.
 */
export function NearLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, "href"> & { href: Route }) {
  const [isNear, setIsNear] = useState(false);
  return (
    <Link
      {...rest}
      href={href}
      prefetch={isNear ? null : false}
      onPointerEnter={() => setIsNear(true)}
      onPointerLeave={() => setIsNear(false)}
      onFocus={() => setIsNear(true)}
      onBlur={() => setIsNear(false)}
    />
  );
}
