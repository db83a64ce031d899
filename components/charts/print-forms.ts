import { AGENT_MARKER_PATHS } from "@/components/ui/agent-marker-paths";
import type { SvgForms } from "@/lib/charts/curve-svg";

/** Markers of the pages with the light theme's colours, for drawings that leave the page. */
export const PRINT_FORMS: SvgForms = {
  ink: "#17191c",
  muted: "#5c6066",
  line: "#e3e2dc",
  paper: "#ffffff",
  colours: ["#17191c", "#0072b2", "#c26a00", "#a8437f", "#3d4146", "#00856a", "#857a00"],
  markers: AGENT_MARKER_PATHS,
};
