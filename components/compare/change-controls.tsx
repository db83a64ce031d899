"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";

import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";
import { withBasePath, withoutBasePath } from "@/lib/core/domain/base-path";
import type { FoundGroup } from "@/lib/pages/compare/page";

/** Choices are the URL, followed without a page load. Not links, because each URL would repeat every group. */
export function ChangeForm({
  kept,
  children,
}: {
  /** Parameters that no field of the form has. */
  kept: readonly (readonly [string, string])[];
  children: ReactNode;
}) {
  const router = useRouter();
  const open = (form: HTMLFormElement): void => {
    const fields = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    );
    router.replace(`/compare?${new URLSearchParams(fields).toString()}` as Route, { scroll: false });
  };
  return (
    <form
      action={withBasePath("/compare")}
      className="change-fields"
      onSubmit={(event) => {
        event.preventDefault();
        open(event.currentTarget);
      }}
      onChange={({ currentTarget, target }) => {
        if (target instanceof HTMLSelectElement) open(currentTarget);
      }}
    >
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
      {/* Selects apply at once; without scripts this does. */}
      <noscript>
        <button className="button">Apply</button>
      </noscript>
    </form>
  );
}

/** The first option is the default, which the URL leaves out. */
export function Choice({
  label,
  name,
  value,
  options,
}: {
  label: string;
  name: string;
  value: string;
  options: readonly { readonly value: string; readonly label: string }[];
}) {
  const [usual] = options;
  if (options.length < 2) return null;
  return (
    <label>
      {label}
      <select
        key={value}
        className={value === usual?.value ? "input" : "input changed"}
        name={name}
        defaultValue={value === usual?.value ? "" : value}
      >
        {options.map((option, at) => (
          <option key={option.value} value={at === 0 ? "" : option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

type Ordered = Pick<FoundGroup, "id" | "label" | "refs">;

export function GroupOrder({ groups }: { groups: readonly Ordered[] }) {
  const router = useRouter();
  const move = (group: Ordered, from: number, to: number) => {
    announce(`${group.label} is number ${to + 1} of ${groups.length}`);
    const moved = groups.toSpliced(from, 1).toSpliced(to, 0, group);
    router.replace(orderHref(moved.map(({ refs }) => refs)), { scroll: false });
  };
  return (
    <ol aria-label="Order of groups">
      {groups.map((group, at) => (
        <li key={group.id} className="row">
          <span className="cut grow" title={group.label}>
            {at + 1}. {group.label}
          </span>
          {([-1, 1] as const).map((step) => (
            <button
              key={step}
              type="button"
              className="facet-move"
              data-queued=""
              disabled={groups[at + step] === undefined}
              aria-label={`Move ${group.label} ${step < 0 ? "up" : "down"}`}
              onClick={() => move(group, at, at + step)}
            >
              {step < 0 ? <ArrowUp size={12} aria-hidden /> : <ArrowDown size={12} aria-hidden />}
            </button>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** Buttons, because the URL of each row would be as long as all groups together. */
export function useBaseline(groups: readonly (readonly string[])[]): (at: number) => void {
  const router = useRouter();
  useCommands({
    "compare.baseline": () => {
      const row = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-row-baseline]");
      const target = row ?? document.querySelector<HTMLElement>("[data-command='compare.baseline']");
      target?.click();
      return target !== null;
    },
  });
  return (at) => {
    const others = groups.filter((_, other) => other !== at);
    router.push(orderHref([groups[at] ?? [], ...others]), { scroll: false });
  };
}

function orderHref(groups: readonly (readonly string[])[]): Route {
  const search = new URLSearchParams(location.search);
  for (const name of ["g", "page"]) search.delete(name);
  for (const ref of groups.flat()) search.append("g", ref);
  search.set("order", "chosen");
  return `${withoutBasePath(location.pathname)}?${search.toString()}` as Route;
}
