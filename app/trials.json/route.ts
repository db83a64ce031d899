import { serveAllTrials } from "@/lib/queries/job/trials-download";

export const GET = (request: Request) => serveAllTrials("json", request);
