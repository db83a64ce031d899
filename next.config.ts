import type { NextConfig } from "next";

/** Pages load from their own server only, so that even markup that slipped through could send nothing anywhere. */
const SECURITY_POLICY = [
  "default-src 'self'",
  // Next starts its pages with inline scripts, and charts set inline styles.
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const config: NextConfig = {
  typedRoutes: true,
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  serverExternalPackages: ["better-sqlite3"],
  // Next's development server evaluates code; raw files carry a stricter policy of their own.
  headers: () =>
    Promise.resolve(
      process.env.NODE_ENV === "production"
        ? [
            {
              source: "/((?!api/|_next/static/).*)",
              headers: [
                { key: "Content-Security-Policy", value: SECURITY_POLICY },
                { key: "X-Content-Type-Options", value: "nosniff" },
                { key: "Referrer-Policy", value: "same-origin" },
              ],
            },
            // What a policy forbids is forbidden by that of the page that loads them.
            {
              source: "/_next/static/:path*",
              headers: [{ key: "X-Content-Type-Options", value: "nosniff" }],
            },
          ]
        : [],
    ),
  // Lint and types are steps of their own in `npm test`; a start must not repeat them.
  typescript: { ignoreBuildErrors: true },
  // A request that the network loses is made again, instead of leaving the page, and what is typed there, for an error page.
  experimental: { useOffline: true },
  ...(process.env["ASSAY_DIST_DIR"] === undefined ? {} : { distDir: process.env["ASSAY_DIST_DIR"] }),
};

export default config;
