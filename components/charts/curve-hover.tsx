"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";

import type { CurveChart } from "@/lib/charts/curve-chart";

interface DrawingProps {
  readonly chart: CurveChart;
  readonly right: number;
  readonly width: number;
}

/** How long an idle browser may wait before the interactive drawing is fetched. */
const IDLE_TIMEOUT_MS = 2000;

/**
 * The part of a curve chart that answers the pointer and the arrow keys. Nothing of it is needed to read the chart, so
 * its code is fetched when the chart is in view and the browser is idle, or at once when the pointer comes.
 */
export function CurveHover({ chart, right }: { chart: CurveChart; right: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [wanted, setWanted] = useState(false);
  const [Drawing, setDrawing] = useState<ComponentType<DrawingProps> | null>(null);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const resize = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    const view = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      view.disconnect();
      requestIdleCallback(() => setWanted(true), { timeout: IDLE_TIMEOUT_MS });
    });
    resize.observe(element);
    view.observe(element);
    return () => {
      resize.disconnect();
      view.disconnect();
    };
  }, []);

  useEffect(() => {
    if (!wanted) return;
    let isCurrent = true;
    void import("./curve-drawing").then(({ CurveDrawing }) => {
      if (isCurrent) setDrawing(() => CurveDrawing);
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted]);

  return (
    <div className="curve-hover" ref={frame} onPointerEnter={() => setWanted(true)}>
      {Drawing === null || width === 0 ? null : <Drawing chart={chart} right={right} width={width} />}
    </div>
  );
}
