#!/usr/bin/env node
import { bootstrap } from "../lib/launch/bootstrap.mjs";

await bootstrap("../../bench/corpus.ts");
