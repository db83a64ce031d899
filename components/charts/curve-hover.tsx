"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";

import type { CurveChart } from "@/lib/charts/curve-chart";

import type { CurveValuesProps } from "./curve-values";

/** How long an idle browser may wait before the values are fetched. */
const IDLE_TIMEOUT_MS = 2000;

/**
 * The layer over a curve chart that answers the pointer and the arrow keys. Nothing of it is needed to read the chart, so
 * its code is fetched when the chart is in view and the browser is idle, or at once when the pointer comes.
 */
export function CurveHover({ chart }: { chart: CurveChart }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [isWanted, setIsWanted] = useState(false);
  const [Values, setValues] = useState<ComponentType<CurveValuesProps> | null>(null);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const resize = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    const view = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      view.disconnect();
      requestIdleCallback(() => setIsWanted(true), { timeout: IDLE_TIMEOUT_MS });
    });
    resize.observe(element);
    view.observe(element);
    return () => {
      resize.disconnect();
      view.disconnect();
    };
  }, []);

  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    void import("./curve-values").then(({ CurveValues }) => {
      if (isCurrent) setValues(() => CurveValues);
    });
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);

  return (
    <div className="curve-hover" ref={frame} onPointerEnter={() => setIsWanted(true)}>
      {Values === null || width === 0 ? null : <Values chart={chart} width={width} />}
    </div>
  );
}
