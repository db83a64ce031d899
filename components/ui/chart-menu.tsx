"use client";

import { ChevronDown, Download } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";

import { copyPng, drawSvg, saveBlob, toPng } from "./chart-picture";

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
  const run = (event: MouseEvent, words: string, act: (drawn: Promise<Blob>) => Promise<void>) => {
    act(readDrawing(event.currentTarget, svgHref)).then(
      () => setState(words),
      () => setState("Failed, try again"),
    );
  };
  return (
    <details className="facet facet-end chart-menu" data-menu="">
      <summary aria-label={`Save ${name}`} title="Save this chart">
        <Download size={14} aria-hidden />
        Save
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <ul>
          {svgHref === undefined ? (
            <Act onAct={(event) => run(event, "Saved", async (svg) => saveBlob(await svg, `${name}.svg`))}>
              SVG
            </Act>
          ) : (
            <FileLink href={withBasePath(svgHref)} file={`${name}.svg`}>
              SVG
            </FileLink>
          )}
          <Act
            onAct={(event) =>
              run(event, "Saved", async (svg) => saveBlob(await toPng(await svg), `${name}.png`))
            }
          >
            PNG
          </Act>
          <Act onAct={(event) => run(event, "Copied", copyPng)}>Copy image</Act>
          {csvHref === undefined ? null : (
            <FileLink href={withBasePath(csvHref)} file={`${name}.csv`}>
              CSV
            </FileLink>
          )}
          {csv === undefined ? null : (
            <Act
              onAct={() => {
                saveBlob(new Blob([csv], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
                setState("Saved");
              }}
            >
              CSV
            </Act>
          )}
        </ul>
        {/* What has an address is drawn without a page, and so without its theme. */}
        <p className="caption">
          {svgHref === undefined ? "Images: colours as shown" : "Images: light colours in either theme"}
        </p>
        <p className="caption" role="status">
          {state}
        </p>
      </div>
    </details>
  );
}

async function readDrawing(button: Element, svgHref: string | undefined): Promise<Blob> {
  if (svgHref !== undefined) return (await fetch(withBasePath(svgHref))).blob();
  const chart = button.closest("[data-chart]");
  if (chart === null) throw new Error("This menu has no chart.");
  return new Blob([drawSvg(chart)], { type: "image/svg+xml" });
}

function Act({ onAct, children }: { onAct: (event: MouseEvent) => void; children: ReactNode }) {
  return (
    <li>
      <button type="button" className="text-button facet-option" onClick={onAct}>
        {children}
      </button>
    </li>
  );
}

function FileLink({ href, file, children }: { href: string; file: string; children: ReactNode }) {
  return (
    <li>
      <a className="facet-option" href={href} download={file}>
        {children}
      </a>
    </li>
  );
}
