import type { ReactNode } from "react";

import { intervalColumn, IntervalPlot } from "@/components/ui/interval-plot";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { ColumnLook, PhonePlace } from "@/lib/core/fields/field";
import { formatCount, formatPercent } from "@/lib/core/format/number";
import type { RateInterval, Unavailable } from "@/lib/core/stats";
import { PASSED } from "@/lib/pages/datasets/address";

import { describePassed } from "./task-words";

/** Columns of a pass rate and its interval. */
export function passedColumns<Row>({
  of,
  without = () => null,
  phone,
  interval = {},
}: {
  of: (row: Row) => { readonly rate: RateInterval | Unavailable; readonly identity?: number } | null;
  /** The first cell of a row without a rate. */
  without?: (row: Row) => ReactNode;
  phone?: PhonePlace;
  interval?: Pick<ColumnLook, "room">;
}): readonly DataColumn<Row>[] {
  return [
    column(
      "Passed",
      (row) => {
        const rate = of(row)?.rate;
        if (rate === undefined) return without(row);
        if (rate.kind === "unavailable") return <Unknown title="No finished attempts" />;
        return (
          <>
            {formatPercent(rate.rate)}{" "}
            <span className="muted">
              {formatCount(rate.count)} of {formatCount(rate.n)}
            </span>
          </>
        );
      },
      { numeric: true, sort: PASSED, ascends: true, ...(phone === undefined ? {} : { phone }) },
    ),
    intervalColumn(
      (row) => {
        const found = of(row);
        if (found === null) return null;
        const { rate, identity } = found;
        return (
          <IntervalPlot
            mark={
              rate.kind === "unavailable"
                ? null
                : { value: rate.rate, low: rate.low, high: rate.high, identity }
            }
            title={describePassed(rate)}
          />
        );
      },
      {},
      interval,
    ),
  ];
}
