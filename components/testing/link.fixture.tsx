import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { type AnchorHTMLAttributes, use } from "react";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  readonly prefetch?: unknown;
  readonly replace?: boolean;
  readonly scroll?: boolean;
}

/** `next/link` without Next's own router, which only its server starts. */
export default function Link({
  prefetch: _prefetch,
  replace = false,
  scroll: _scroll,
  onClick,
  ...rest
}: Props) {
  const router = use(AppRouterContext);
  return (
    <a
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (replace) router?.replace(rest.href);
        else router?.push(rest.href);
      }}
    />
  );
}
