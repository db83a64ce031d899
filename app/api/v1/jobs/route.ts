import { serveJobList } from "@/lib/pages/api/lists";

export const GET = (request: Request) => serveJobList(request);
