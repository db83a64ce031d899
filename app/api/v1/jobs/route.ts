import { serveJobList } from "@/lib/queries/api/lists";

export const GET = (request: Request) => serveJobList(request);
