"use client";

import { Clock } from "lucide-react";

import { toggleZone, useOwnZone, usePageClock } from "@/components/ui/page-clock";
import { UTC_ZONE } from "@/lib/core/format/time";

export function ZoneToggle() {
  const { zone } = usePageClock();
  const own = useOwnZone();
  const other = zone === UTC_ZONE ? own : UTC_ZONE;
  const name = formatZone(zone);
  const cityAt = name.lastIndexOf("/") + 1;
  const words = (
    <>
      <Clock size={14} aria-hidden />
      <span className="cut">
        <span className="zone-words">Times in </span>
        <span className="zone-area">{name.slice(0, cityAt)}</span>
        {name.slice(cityAt)}
      </span>
    </>
  );
  if (other === zone) {
    return (
      <span className="zone-toggle" title="Your time zone is UTC">
        {words}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="button button-bare zone-toggle"
      title={other === null ? undefined : `Show times in ${formatZone(other)}`}
      onClick={() => toggleZone(zone)}
    >
      {words}
    </button>
  );
}

/** Paper has no bar above the page. */
export function PrintedZone() {
  const { zone } = usePageClock();
  return <p className="zone-printed caption">Times in {formatZone(zone)}.</p>;
}

function formatZone(zone: string): string {
  return zone.replaceAll("_", " ");
}
