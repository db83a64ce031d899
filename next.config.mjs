/** Written into what is built: a mark, see `lib/server/base-path.ts`. What serves it names the real one. */
const basePath = process.env["ASSAY_BASE_PATH"] ?? "";

// JavaScript, since Next takes a quarter of a second of every start to make that of TypeScript.
/** @type {import("next").NextConfig} */
const config = {
  basePath,
  env: { ASSAY_BASE_PATH: basePath },
  typedRoutes: true,
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // Else an address of Next's own would fetch and decode what jobs hold, in the pages' process, for whoever asks.
  images: { unoptimized: true },
  serverExternalPackages: ["better-sqlite3"],
  // They name what is bundled, for the third-party notices; the build removes them.
  productionBrowserSourceMaps: true,
  // Lint and types are steps of their own in `npm test`; a start must not repeat them.
  typescript: { ignoreBuildErrors: true },
  // Guides are part of the pages, so that they are wherever these are.
  turbopack: { rules: { "*.md": { type: "text" } } },
  // A request that the network loses is made again, instead of leaving the page, and what is typed there, for an error page.
  // The code of every page is loaded at the start, so that no first visit waits for it; a test looks at a page or two.
  experimental: {
    // Those of packages name files that are not installed.
    turbopackInputSourceMaps: false,
    useOffline: true,
    preloadEntriesOnStart: process.env["ASSAY_PRELOAD"] !== "off",
    // Of `x *= a; x *= b` the minifier makes `x *= a * b`: figures of pages would differ in their last bit from those of commands.
    turbopackMinify: { server: false, client: true },
  },
  ...(process.env["ASSAY_DIST_DIR"] === undefined ? {} : { distDir: process.env["ASSAY_DIST_DIR"] }),
};

export default config;
