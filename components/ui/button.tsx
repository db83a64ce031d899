import type { Route } from "next";
import type { ComponentProps, ReactNode } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";

import { Link } from "./link";

type Look = "plain" | "main" | "bare";

/** `main` is the one action of a page, `bare` has no border until hovered. */
export function Button({
  look = "plain",
  className,
  children,
  ...rest
}: ComponentProps<"button"> & { look?: Look | undefined }) {
  return (
    <button type="button" className={`button button-${look}${className ? ` ${className}` : ""}`} {...rest}>
      {children}
    </button>
  );
}

export function ButtonLink({
  href,
  look = "plain",
  download = false,
  title,
  children,
}: {
  href: Route;
  look?: Look;
  download?: boolean;
  title?: string;
  children: ReactNode;
}) {
  const className = `button button-${look}`;
  return download ? (
    <a className={className} href={withBasePath(href)} download title={title}>
      {children}
    </a>
  ) : (
    <Link className={className} href={href} title={title}>
      {children}
    </Link>
  );
}

export function KeyCap({ children }: { children: ReactNode }) {
  return <kbd className="key-cap">{children}</kbd>;
}
