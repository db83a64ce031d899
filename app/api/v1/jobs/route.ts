import { serveJobList } from "@/lib/queries/api/lists";

/** A page of the jobs list. */
export const GET = (request: Request) => serveJobList(request);
