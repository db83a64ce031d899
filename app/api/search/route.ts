import { AppError, StoreError } from "@/lib/domain/app-error";
import { getSearch } from "@/lib/queries/shell/search";

const LONGEST_TEXT = 200;
const HEADERS = { "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff" };

/** What `?q=` finds, as a `SearchAnswer`; a failure is one sentence under `message`. */
export async function GET(request: Request): Promise<Response> {
  const text = (new URL(request.url).searchParams.get("q") ?? "").slice(0, LONGEST_TEXT);
  try {
    return Response.json(await getSearch(text), { headers: HEADERS });
  } catch (error) {
    if (error instanceof AppError || error instanceof StoreError) {
      return Response.json({ message: error.message }, { status: 503, headers: HEADERS });
    }
    throw error;
  }
}
