import { serveReading } from "./reading-process";
import { runCoordinator } from "./run-coordinator";

// One program, so that its parts are of one build: one process of it keeps an index up to date, and others read folders for it.
if (process.argv[2] === "coordinator") runCoordinator();
else serveReading();
