import { resolve } from "node:path";

import { writeSampleJobs } from "./generate";

writeSampleJobs(resolve(process.argv[2] ?? "samples"));
