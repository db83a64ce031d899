import type { Route } from "next";

import { Link } from "@/components/ui/link";

import "./segment.css";

/** One choice of a segmented control; the address carries it. */
export interface SegmentOption {
  readonly label: string;
  readonly href: Route;
  readonly selected: boolean;
  readonly title?: string;
}

/** A few choices of which exactly one holds, as links. */
export function Segment({ label, options }: { label: string; options: readonly SegmentOption[] }) {
  return (
    <span className="segment" role="group" aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.label}
          href={option.href}
          title={option.title}
          aria-current={option.selected ? "true" : undefined}
          mode="replace"
        >
          {option.label}
        </Link>
      ))}
    </span>
  );
}
