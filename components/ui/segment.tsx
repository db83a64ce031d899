import type { Route } from "next";

import { Link, type NavigationMode } from "./link";

export function Segment<Value extends string | number>({
  label,
  value,
  options,
  hrefOf,
  mode = "replace",
}: {
  label: string;
  value: Value;
  options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly title?: string;
    readonly command?: string | undefined;
  }[];
  hrefOf: (value: Value) => Route;
  mode?: NavigationMode;
}) {
  return (
    <span className="segment" role="group" aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          href={hrefOf(option.value)}
          title={option.title}
          aria-current={option.value === value ? "true" : undefined}
          mode={mode}
          className="cut"
          data-command={option.command}
        >
          {option.label}
        </Link>
      ))}
    </span>
  );
}
