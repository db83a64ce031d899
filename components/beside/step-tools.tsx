import { ChevronDown, ChevronUp } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { Segment } from "@/components/compare/segment";
import { CommandKey } from "@/components/shell/command-key";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { BesideParams } from "@/lib/pages/beside/address";
import type { BesidePage } from "@/lib/pages/beside/page";

import "./step-tools.css";

export function BesideTools({
  page,
  params,
  hrefOf,
}: {
  page: BesidePage;
  params: BesideParams;
  hrefOf: (link: Partial<BesideParams>) => Route;
}) {
  const { calls, divergence, differences } = page.reading.steps;
  const rowHref = (row: number | null) => (row === null ? null : hrefOf({ row: row + 1 }));
  return (
    <div className="beside-tools" role="group" aria-label="Go through the steps">
      <span className="beside-summary">
        {formatCount(calls.same)} of {formatPlural(calls.a, "call")} in A {calls.same === 1 ? "has" : "have"}{" "}
        an equal one among {formatCount(calls.b)} in B
      </span>
      <ToolLink href={rowHref(divergence?.row ?? null)} name="divergence" title="Go to the first divergence">
        {divergence === null ? (
          "No call differs"
        ) : (
          <>
            First divergence <CommandKey id="beside.divergence" />
          </>
        )}
      </ToolLink>
      <span className="row beside-differences">
        <ToolLink
          href={rowHref(differences.previous)}
          name="previous-difference"
          title="Previous difference"
          isIcon
        >
          <ChevronUp size={16} aria-hidden />
        </ToolLink>
        <span className="nowrap">
          {differences.number === null ? "" : `${formatCount(differences.number)} of `}
          {formatPlural(differences.total, "difference")}
        </span>
        <ToolLink href={rowHref(differences.next)} name="next-difference" title="Next difference" isIcon>
          <ChevronDown size={16} aria-hidden />
        </ToolLink>
      </span>
      <Segment
        label="Equal steps"
        value={params.isUnfolded ? "all" : "folded"}
        options={[
          { value: "folded", label: "Folded", title: "Fold equal steps and steps of one side" },
          { value: "all", label: "All steps" },
        ]}
        hrefOf={(value) => hrefOf({ isUnfolded: value === "all", row: params.row })}
      />
      <ToolLink
        href={hrefOf({ isApart: !params.isApart, row: params.row, from: params.from })}
        name="scroll"
        title={params.isApart ? "Put equal steps on one line again" : "Let each trajectory scroll by itself"}
      >
        {params.isApart ? "Scroll together" : "Scroll apart"} <CommandKey id="beside.scroll" />
      </ToolLink>
    </div>
  );
}

function ToolLink({
  href,
  name,
  title,
  isIcon = false,
  children,
}: {
  href: Route | null;
  name: string;
  title: string;
  isIcon?: boolean;
  children: ReactNode;
}) {
  const className = isIcon ? "button icon-only" : "button";
  if (href === null) {
    return (
      <span className={className} aria-disabled="true">
        {children}
      </span>
    );
  }
  return (
    <Link
      className={className}
      href={href}
      mode="stay"
      title={title}
      {...(isIcon ? { "aria-label": title } : {})}
      data-beside-key={name}
    >
      {children}
    </Link>
  );
}
