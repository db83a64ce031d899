import { serveAllTrials } from "@/lib/pages/job/trials-download";

export const GET = (request: Request) => serveAllTrials("json", request);
