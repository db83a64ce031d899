"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useOptimistic, useTransition } from "react";

/** Space, Enter and `x` tick the box; `j` and `k` move. Ticking opens `href`. */
export function PickBox({
  checked,
  disabled,
  label,
  href,
}: {
  checked: boolean;
  disabled: boolean;
  label: string;
  href: Route;
}) {
  const router = useRouter();
  const [shown, setShown] = useOptimistic(checked);
  const [, startTransition] = useTransition();

  function toggle() {
    if (disabled) return;
    startTransition(() => {
      setShown(!shown);
      router.replace(href, { scroll: false });
    });
  }

  return (
    <input
      type="checkbox"
      checked={shown}
      aria-disabled={disabled}
      aria-label={disabled ? `${label}: the maximum number of groups is chosen` : label}
      title={disabled ? "The maximum number of groups is chosen; remove one first" : undefined}
      data-row-link=""
      data-queued=""
      onChange={toggle}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.click();
      }}
    />
  );
}
