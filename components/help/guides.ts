import accessibility from "@/docs/accessibility.md";
import api from "@/docs/api.md";
import ci from "@/docs/ci.md";
import commands from "@/docs/commands.md";
import comparing from "@/docs/comparing.md";
import figures from "@/docs/figures.md";
import formats from "@/docs/formats.md";
import fromHarborView from "@/docs/from-harbor-view.md";
import libraries from "@/docs/libraries.md";
import reviewing from "@/docs/reviewing.md";
import rules from "@/docs/rules.md";
import scanners from "@/docs/scanners.md";
import team from "@/docs/team.md";
import tour from "@/docs/tour.md";
import triage from "@/docs/triage.md";
import security from "@/SECURITY.md";

const GUIDES: Readonly<Record<string, string>> = {
  tour,
  reviewing,
  comparing,
  triage,
  ci,
  team,
  "from-harbor-view": fromHarborView,
};

const REFERENCE: Readonly<Record<string, string>> = {
  figures,
  formats,
  commands,
  rules,
  scanners,
  api,
  libraries,
  accessibility,
  security,
};

export const GUIDE_LISTS = [
  { title: "Guides", guides: GUIDES },
  { title: "Reference", guides: REFERENCE },
] as const;

export function getGuide(name: string): string | null {
  const all = { ...GUIDES, ...REFERENCE };
  return Object.hasOwn(all, name) ? (all[name] ?? null) : null;
}
