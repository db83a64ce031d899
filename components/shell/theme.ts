const THEME_KEY = "assay-theme";

/** Runs before the first paint: the stored theme, else the system's. */
export const THEME_SCRIPT = `(function(){var t;try{t=localStorage.getItem("${THEME_KEY}")}catch(e){}
if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";
document.documentElement.dataset.theme=t})()`;

export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = dataset["theme"] === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(THEME_KEY, dataset["theme"]);
  } catch {
    // Storage may be blocked; the theme then lasts until the page is left.
  }
}
