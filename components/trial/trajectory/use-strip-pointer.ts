import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type KeyboardEvent, type PointerEvent, useState } from "react";

import { buildHref } from "@/lib/pages/address/href";
import type { StripColumn } from "@/lib/read/trial-reading";

type Span = readonly [number, number];

/** Pointer and keys of the strip: select a column, or drag over several to list them. Keys begin at `current`, null for none. */
export function useStripPointer(columns: readonly StripColumn[], current: number | null) {
  const [aimed, setAimed] = useState<number | null>(null);
  const [start, setStart] = useState<number | null>(null);
  const { openStep, listSteps } = useLinks(columns);
  const at = aimed ?? current ?? 0;
  const span: Span | null =
    start === null || aimed === null || start === aimed
      ? null
      : [Math.min(start, aimed), Math.max(start, aimed)];
  const clamp = (column: number) => Math.min(columns.length - 1, Math.max(0, column));

  function aim({ currentTarget, clientX }: PointerEvent<HTMLElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    return clamp(Math.floor(((clientX - left) / width) * columns.length));
  }

  function clear() {
    setAimed(null);
    setStart(null);
  }

  function open() {
    if (span === null) openStep(at);
    else listSteps(span);
    setStart(null);
  }

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setAimed(aim(event));
      setStart(aim(event));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => setAimed(aim(event)),
    onPointerUp: () => {
      if (start !== null) open();
    },
    onPointerCancel: clear,
    onPointerLeave: clear,
    onBlur: clear,
    onKeyDown: (event: KeyboardEvent) => {
      const to = STRIDES[event.key]?.(at, columns.length);
      if (to !== undefined) {
        setStart(event.shiftKey ? (start ?? at) : null);
        setAimed(clamp(to));
      } else if (event.key === "Enter") open();
      else if (event.key === "Escape") clear();
      else return;
      event.preventDefault();
    },
  };
  return { at, aimed, span, handlers };
}

const STRIDES: Readonly<Record<string, (at: number, n: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 10,
  PageDown: (at) => at + 10,
  Home: () => 0,
  End: (_, n) => n - 1,
};

function useLinks(columns: readonly StripColumn[]) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const go = (name: "step" | "range", value: string) => {
    const query = new URLSearchParams(search.toString());
    query.delete("from");
    query.delete("step");
    query.set(name, value);
    router.push(buildHref(`${pathname}?${query.toString()}`), { scroll: false });
  };
  return {
    openStep: (column: number) => {
      const key = columns[column]?.key;
      if (key !== undefined) go("step", key);
    },
    listSteps: ([first, last]: Span) => {
      const [from, to] = [columns[first], columns[last]];
      if (from !== undefined && to !== undefined) go("range", `${from.key}..${to.lastKey}`);
    },
  };
}
