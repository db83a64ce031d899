"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";

import { useCommands } from "@/components/shell/commands";

import { orderHref } from "./order-href";

/** A button, because the URL of each row would be as long as all groups together. */
export function RowBaseline({
  groups,
  children,
}: {
  groups: readonly (readonly string[])[];
  children: ReactNode;
}) {
  const router = useRouter();
  useCommands({
    "compare.baseline": () => {
      const row = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-row-baseline]");
      const target = row ?? document.querySelector<HTMLElement>("[data-command='compare.baseline']");
      if (target === null) return false;
      target.click();
      return undefined;
    },
  });
  return (
    <div
      onClick={({ target }) => {
        const button = target instanceof Element ? target.closest<HTMLElement>("[data-row-baseline]") : null;
        const chosen = groups[Number(button?.dataset["rowBaseline"] ?? -1)];
        if (chosen === undefined) return;
        router.push(orderHref([chosen, ...groups.filter((group) => group !== chosen)]), { scroll: false });
      }}
    >
      {children}
    </div>
  );
}
