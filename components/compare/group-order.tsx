"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { announce } from "@/components/shell/announcer";

import { orderHref } from "./order-href";

import "./group-order.css";

interface Ordered {
  readonly id: string;
  readonly label: string;
  readonly refs: readonly string[];
}

function move<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  return item === undefined ? items : items.toSpliced(from, 1).toSpliced(to, 0, item);
}

export function GroupOrder({ groups }: { groups: readonly Ordered[] }) {
  const router = useRouter();
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);

  function put(from: number, to: number) {
    if (from === to || to < 0 || to >= groups.length) return;
    announce(`${groups[from]?.label ?? ""} is number ${to + 1} of ${groups.length}`);
    router.replace(orderHref(move(groups, from, to).map(({ refs }) => refs)), { scroll: false });
  }

  return (
    <ol className="group-order" aria-label="Order of groups">
      {groups.map(({ id, label }, at) => (
        <li
          key={id}
          draggable
          data-over={over === at && dragged !== at ? "" : undefined}
          onDragStart={() => setDragged(at)}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(at);
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== null) put(dragged, at);
          }}
          onDragEnd={() => {
            setDragged(null);
            setOver(null);
          }}
        >
          <span className="group-order-name cut" title={label}>
            {at + 1}. {label}
          </span>
          <button
            type="button"
            className="facet-move"
            data-queued=""
            disabled={at === 0}
            aria-label={`Move ${label} up`}
            onClick={() => put(at, at - 1)}
          >
            <ArrowUp size={12} aria-hidden />
          </button>
          <button
            type="button"
            className="facet-move"
            data-queued=""
            disabled={at === groups.length - 1}
            aria-label={`Move ${label} down`}
            onClick={() => put(at, at + 1)}
          >
            <ArrowDown size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ol>
  );
}
