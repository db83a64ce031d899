/** Where the chosen theme is kept in the browser. */
export const THEME_KEY = "assay-theme";

/** Runs before the first paint: the stored theme, else the system's. */
export const THEME_SCRIPT = `(function(){var t;try{t=localStorage.getItem("${THEME_KEY}")}catch(e){}
if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";
document.documentElement.dataset.theme=t})()`;
