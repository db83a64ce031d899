const THEME_KEY = "assay-theme";
const RAIL_KEY = "assay-rail";

/** Runs before the first paint: the stored theme, else the system's, and the width of the rail. */
export const THEME_SCRIPT = `(function(){var t,d=document.documentElement.dataset;
try{t=localStorage.getItem("${THEME_KEY}");d.rail=localStorage.getItem("${RAIL_KEY}")||""}catch(e){}
if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";
d.theme=t})()`;

export function toggleTheme(): void {
  choose("theme", THEME_KEY, ["dark", "light"]);
}

export function toggleRail(): void {
  choose("rail", RAIL_KEY, ["narrow", "wide"]);
}

function choose(name: string, key: string, [first, second]: readonly [string, string]): void {
  const { dataset } = document.documentElement;
  const chosen = dataset[name] === first ? second : first;
  dataset[name] = chosen;
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // Storage may be blocked; the choice then lasts until the page is left.
  }
}
