import fc from "fast-check";
import { testSeed } from "./seed.ts";

// Properties without a seed of their own draw from the seed of the run.
fc.configureGlobal({ seed: testSeed() });
