import fc from "fast-check";
import { testSeed } from "./seed.ts";

// Properties without their own seed draw from the seed of the run.
fc.configureGlobal({ seed: testSeed() });
