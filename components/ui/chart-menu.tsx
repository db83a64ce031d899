"use client";

import { ChevronDown, Download } from "lucide-react";
import { type MouseEvent, useState } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";

import { copyPng, drawSvg, saveBlob, toPng } from "./chart-picture";
import { Menu } from "./menu";

interface ChartMenuProps {
  readonly name: string;
  /** URL of the drawing; by default the content of the nearest `data-chart`. */
  readonly svgHref?: string;
  readonly csvHref?: string;
  readonly csv?: string | undefined;
}

export function ChartMenu({ name, svgHref, csvHref, csv }: ChartMenuProps) {
  const [state, setState] = useState<string | null>(null);
  /** Starts at once, while the browser still counts it as the click's own action. */
  const draw = (label: string, words: string, act: (drawn: Promise<Blob>) => Promise<void>) => (
    <Act
      label={label}
      onAct={({ currentTarget }) => {
        act(readDrawing(currentTarget, svgHref)).then(
          () => setState(words),
          () => setState("Failed, try again"),
        );
      }}
    />
  );
  const link = (label: string, href: string) => (
    <li>
      <a className="facet-option" href={withBasePath(href)} download={`${name}.${label.toLowerCase()}`}>
        {label}
      </a>
    </li>
  );
  return (
    <Menu
      className="chart-menu"
      icon={Download}
      label={
        <>
          Save
          <ChevronDown size={12} aria-hidden />
        </>
      }
      name={`Save ${name}`}
      title="Save this chart"
    >
      <ul>
        {svgHref === undefined
          ? draw("SVG", "Saved", async (svg) => saveBlob(await svg, `${name}.svg`))
          : link("SVG", svgHref)}
        {draw("PNG", "Saved", async (svg) => saveBlob(await toPng(await svg), `${name}.png`))}
        {draw("Copy image", "Copied", copyPng)}
        {csvHref === undefined ? null : link("CSV", csvHref)}
        {csv === undefined ? null : (
          <Act
            label="CSV"
            onAct={() => {
              saveBlob(new Blob([csv], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
              setState("Saved");
            }}
          />
        )}
      </ul>
      {/* The server draws a chart with an address, and does not know the theme of the page. */}
      <p className="caption">
        {svgHref === undefined ? "Images: colours as shown" : "Images: light colours in either theme"}
      </p>
      <p className="caption" role="status">
        {state}
      </p>
    </Menu>
  );
}

async function readDrawing(button: Element, svgHref: string | undefined): Promise<Blob> {
  if (svgHref !== undefined) return (await fetch(withBasePath(svgHref))).blob();
  const chart = button.closest("[data-chart]");
  if (chart === null) throw new Error("This menu has no chart.");
  return new Blob([drawSvg(chart)], { type: "image/svg+xml" });
}

function Act({ label, onAct }: { label: string; onAct: (event: MouseEvent) => void }) {
  return (
    <li>
      <button type="button" className="text-button facet-option" onClick={onAct}>
        {label}
      </button>
    </li>
  );
}
