import { withBasePath } from "@/lib/core/domain/base-path";

/** The former address of /diff, which links and saved views may have. */
export function GET({ url }: Request): Response {
  const Location = withBasePath(`/diff${new URL(url).search}`);
  return new Response(null, { status: 308, headers: { Location } });
}
