import { brokenText, crowdedBody, deepNesting, largeBody, mutatedBody, notAnObject } from "./body-requests.ts";
import type { FuzzMatter, FuzzRequest } from "./fuzz-request.ts";
import { headerTrick, methodTrick, pathTrick, typeTrick, wrongToken } from "./http-requests.ts";
import {
  everyValueEverywhere,
  extremePage,
  mutatedCursor,
  plausible,
  unknownAgent,
  unknownParameter,
  wrongType,
} from "./params-requests.ts";
import type { Random } from "./random.ts";

/** How often each kind comes, in parts. */
const KINDS: readonly (readonly [number, (matter: FuzzMatter, random: Random) => FuzzRequest])[] = [
  [14, plausible],
  [12, unknownParameter],
  [12, wrongType],
  [3, unknownAgent],
  [6, extremePage],
  [8, mutatedCursor],
  [14, mutatedBody],
  [3, notAnObject],
  [3, deepNesting],
  [1, largeBody],
  [2, crowdedBody],
  [5, brokenText],
  [9, wrongToken],
  [10, headerTrick],
  [4, typeTrick],
  [4, methodTrick],
  [5, pathTrick],
];

const PARTS = KINDS.reduce((sum, [parts]) => sum + parts, 0);

/**
 * At least so many requests, in an order decided by chance: first every hostile value everywhere, then a mixture of
 * every kind, which is never less than half of `count` however many parameters there come to be. `nth` takes one in so
 * many of the first, so that each parameter still gets several values and each value several parameters.
 */
export function* fuzzRequests(
  matter: FuzzMatter,
  random: Random,
  count: number,
  nth = 1,
): Generator<FuzzRequest, void, void> {
  const systematic = everyValueEverywhere(matter).filter((_, place) => place % nth === 0);
  yield* systematic;
  const mixed = Math.max(count - systematic.length, Math.ceil(count / 2));
  for (let made = 0; made < mixed; made += 1) {
    let part = random.below(PARTS);
    const [, make] = KINDS.find(([parts]) => (part -= parts) < 0) ?? KINDS[0] ?? [0, plausible];
    yield make(matter, random);
  }
}
