#!/usr/bin/env node
import { bootstrap } from "./bootstrap.mjs";

await bootstrap("./test.ts");
