import type { Mutation } from "./mutation.ts";
import { CALLERS } from "./mutations/callers.ts";
import { COMPUTE_ENGINE } from "./mutations/compute-engine.ts";
import { COVERAGE } from "./mutations/coverage.ts";
import { GATHERING } from "./mutations/gathering.ts";
import { MONEY } from "./mutations/money.ts";
import { PARAMETERS } from "./mutations/parameters.ts";
import { SERVING_INDEX } from "./mutations/serving-index.ts";
import { UPSTREAMS } from "./mutations/upstreams.ts";
import { WALKS } from "./mutations/walks.ts";

/** All of them, in the order of the table. */
export const MUTATIONS: readonly Mutation[] = [
  ...WALKS,
  ...PARAMETERS,
  ...GATHERING,
  ...MONEY,
  ...CALLERS,
  ...COVERAGE,
  ...UPSTREAMS,
  ...SERVING_INDEX,
  ...COMPUTE_ENGINE,
];
