import localFont from "next/font/local";

// The files of the package `geist`. Its own modules swap a font in late, which moves every line of a painted page. Here a late
// font waits for the next page. Both are preloaded, so they are rarely late.

export const geistSans = localFont({
  src: "../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  display: "optional",
});

export const geistMono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  adjustFontFallback: false,
  weight: "100 900",
  display: "optional",
});
