// One file, so one worker: its servers would else be started in each, and go on beside the tests that need none.
import { afterAll } from "vitest";
import { stopTopologies } from "../fixtures/topologies.ts";
import "./topologies/store.ts";
import "./topologies/replace.ts";
import "./topologies/same-answers.ts";
import "./topologies/provisional-rows.ts";
import "./topologies/versioned-copies.ts";

afterAll(stopTopologies);
