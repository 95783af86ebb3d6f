// One file, so one worker: otherwise each worker would start these servers and keep them beside tests that need none.
import { afterAll } from "vitest";
import { stopTopologies } from "../fixtures/topologies.ts";
import "./topologies/store.ts";
import "./topologies/replace.ts";
import "./topologies/same-answers.ts";
import "./topologies/provisional-rows.ts";
import "./topologies/versioned-copies.ts";

afterAll(stopTopologies);
