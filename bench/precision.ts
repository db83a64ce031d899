// Bundles the measurement with the project's code and runs it.
import { pathToFileURL } from "node:url";

import { bundleScript } from "./bundle.ts";

await import(pathToFileURL(await bundleScript("triage-precision")).href);
