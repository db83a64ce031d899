"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useRouter } from "next/navigation";

import { announce } from "@/components/shell/announcer";

import { orderHref } from "./order-href";

interface Ordered {
  readonly id: string;
  readonly label: string;
  readonly refs: readonly string[];
}

export function GroupOrder({ groups }: { groups: readonly Ordered[] }) {
  const router = useRouter();
  const move = (group: Ordered, from: number, to: number) => {
    announce(`${group.label} is number ${to + 1} of ${groups.length}`);
    const moved = groups.toSpliced(from, 1).toSpliced(to, 0, group);
    router.replace(orderHref(moved.map(({ refs }) => refs)), { scroll: false });
  };
  return (
    <ol aria-label="Order of groups">
      {groups.map((group, at) => (
        <li key={group.id} className="row">
          <span className="cut grow" title={group.label}>
            {at + 1}. {group.label}
          </span>
          {([-1, 1] as const).map((step) => (
            <button
              key={step}
              type="button"
              className="facet-move"
              data-queued=""
              disabled={groups[at + step] === undefined}
              aria-label={`Move ${group.label} ${step < 0 ? "up" : "down"}`}
              onClick={() => move(group, at, at + step)}
            >
              {step < 0 ? <ArrowUp size={12} aria-hidden /> : <ArrowDown size={12} aria-hidden />}
            </button>
          ))}
        </li>
      ))}
    </ol>
  );
}
