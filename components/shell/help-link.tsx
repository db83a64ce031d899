"use client";

import { CircleQuestionMark } from "lucide-react";
import { usePathname } from "next/navigation";

import { PrefetchLink } from "@/components/ui/prefetch-link";
import { helpHrefOf } from "@/lib/pages/help/address";

export function HelpLink({ children }: { children?: string }) {
  return (
    <PrefetchLink
      href={helpHrefOf(usePathname())}
      className={children === undefined ? "button button-bare icon-only" : "button button-plain"}
      {...(children === undefined
        ? { title: "Help on this page", "aria-label": "Help on this page", "data-command": "everywhere.help" }
        : {})}
    >
      {children ?? <CircleQuestionMark size={16} aria-hidden />}
    </PrefetchLink>
  );
}
