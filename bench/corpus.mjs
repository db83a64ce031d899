#!/usr/bin/env node
import { bootstrap } from "../lib/server/bootstrap.mjs";

await bootstrap("../../bench/corpus.ts");
