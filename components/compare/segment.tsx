import type { Route } from "next";

import { Link } from "@/components/ui/link";

import "./segment.css";

export function Segment<Value extends string | number>({
  label,
  value,
  options,
  hrefOf,
}: {
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly label: string; readonly title?: string }[];
  hrefOf: (value: Value) => Route;
}) {
  return (
    <span className="segment" role="group" aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          href={hrefOf(option.value)}
          title={option.title}
          aria-current={option.value === value ? "true" : undefined}
          mode="replace"
        >
          {option.label}
        </Link>
      ))}
    </span>
  );
}
