import { serveReading } from "./reading-process";
import { runCoordinator } from "./run-coordinator";

// One program, so that all its parts are of one build: a coordinator keeps an index up to date, and others read folders for it.
if (process.argv[2] === "coordinator") runCoordinator();
else serveReading();
