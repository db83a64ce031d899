import type { RowData } from "@tanstack/react-table";
import { ArrowUp, Columns3 } from "lucide-react";
import type { Route } from "next";

import { Link } from "./link";
import { Menu } from "./menu";
import { type DataColumn, listShown, nameColumn } from "./table-columns";

export function ColumnsMenu<Row extends RowData>({
  columns,
  wanted,
  hrefOf,
}: {
  columns: readonly DataColumn<Row>[];
  wanted: readonly string[] | null;
  hrefOf: (columns: readonly string[] | null) => Route;
}) {
  const hideable = columns.filter(({ enableHiding = true }) => enableHiding);
  const all = hideable.map(({ id }) => id);
  const names = new Map(hideable.map((column) => [column.id, nameColumn(column)]));
  const shown = listShown(hideable, wanted);
  const usual = listShown(hideable, null).join();
  const hrefWithout = (id: string) => {
    const ids = shown.filter((one) => one !== id);
    return hrefOf(ids.join() === usual ? null : ids);
  };
  const byPlace = [...shown, ...all.filter((id) => !shown.includes(id))];
  return (
    <Menu icon={Columns3} name="Columns">
      <ul>
        {byPlace.map((id, at) => {
          const name = names.get(id);
          const isShown = at < shown.length;
          return (
            <li key={id} className="facet-line">
              <Link
                className={isShown ? "facet-option facet-selected" : "facet-option"}
                href={isShown ? hrefWithout(id) : hrefOf(insert(shown, id, all))}
                aria-current={isShown ? "true" : undefined}
                mode="replace"
              >
                <span className="check-box" aria-hidden="true" />
                {name}
              </Link>
              {isShown && at > 0 ? (
                <Link
                  className="facet-move"
                  href={hrefOf(shown.toSpliced(at, 1).toSpliced(at - 1, 0, id))}
                  mode="replace"
                  title={`Move ${name} one place forward`}
                  aria-label={`Move ${name} one place forward`}
                >
                  <ArrowUp size={12} aria-hidden />
                </Link>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Menu>
  );
}

function insert(shown: readonly string[], id: string, all: readonly string[]): readonly string[] {
  const before = shown.findLastIndex((one) => all.indexOf(one) < all.indexOf(id));
  return shown.toSpliced(before + 1, 0, id);
}
