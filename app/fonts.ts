import localFont from "next/font/local";

// The files of the package `geist`. Its own modules swap a font in whenever it arrives, which moves every line of a page that
// was painted before; here a font that is late is left for the next page. Both are preloaded, so they are hardly ever late.

/** For text. */
export const geistSans = localFont({
  src: "../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  display: "optional",
});

/** For code, addresses and ids. */
export const geistMono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  adjustFontFallback: false,
  weight: "100 900",
  display: "optional",
});
