import { AppError, StoreError } from "@/lib/core/domain/app-error";
import { text } from "@/lib/pages/address/values";
import { getSearch } from "@/lib/pages/shell/search";

const HEADERS = { "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff" };

/** Returns the `SearchAnswer` for `?q=`; a failure is one sentence under `message`. */
export async function GET(request: Request): Promise<Response> {
  const words = text.parse(new URL(request.url).searchParams.get("q") ?? "") ?? "";
  try {
    return Response.json(await getSearch(words), { headers: HEADERS });
  } catch (error) {
    if (error instanceof AppError || error instanceof StoreError) {
      return Response.json({ message: error.message }, { status: 503, headers: HEADERS });
    }
    throw error;
  }
}
