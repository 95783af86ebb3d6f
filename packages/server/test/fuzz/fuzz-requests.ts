import {
  brokenText,
  crowdedBody,
  deepNesting,
  doubledField,
  largeBody,
  mutatedBody,
  notAnObject,
} from "./body-requests.ts";
import { consoleRequest } from "./console-requests.ts";
import { documentRequest, metricsRequest } from "./document-requests.ts";
import type { FuzzMatter, FuzzRequest, FuzzWorld } from "./fuzz-request.ts";
import { headerTrick, methodTrick, pathTrick, typeTrick, wrongToken } from "./http-requests.ts";
import {
  extremePage,
  hostileValue,
  mutatedCursor,
  plausible,
  unknownAgent,
  unknownParameter,
  wrongType,
} from "./params-requests.ts";
import { randomFrom, type Random } from "./random.ts";
import { hardlyHttp } from "./socket-requests.ts";

type Make = (matter: FuzzMatter, random: Random) => FuzzRequest;

/** Requests whose expected status a strict key gets; a key in compatible mode, or the alias, is more lenient. */
const REQUESTED: readonly (readonly [number, Make])[] = [
  [4, plausible],
  [12, unknownParameter],
  [12, wrongType],
  [3, unknownAgent],
  [4, extremePage],
  [8, mutatedCursor],
  [14, mutatedBody],
  [3, doubledField],
  [3, crowdedBody],
];

/** Requests that are answered alike for every key. */
const SENT: readonly (readonly [number, Make])[] = [
  [3, notAnObject],
  [3, deepNesting],
  [1, largeBody],
  [5, brokenText],
  [9, wrongToken],
  [10, headerTrick],
  [4, typeTrick],
  [4, methodTrick],
  [5, pathTrick],
  [2, hardlyHttp],
];

/** Relative frequency of each group: the endpoint's two, the documents, the metrics port, the console. */
const PARTS = [50, 34, 8, 1, 7] as const;
const HOSTILE_EVERY = 16;
const ALIAS_CHANCE = 0.1;

/**
 * Returns the request at an index of a seed's sequence, always the same one. Each sixteenth has the next hostile value
 * of the next parameter, in an order that covers all of them before any is repeated.
 */
export function fuzzRequest(world: FuzzWorld, seed: number, index: number): FuzzRequest {
  const random = randomFrom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  if (index % HOSTILE_EVERY === 0)
    return asCaller(world, random, (matter) => hostileValue(matter, seed + index / HOSTILE_EVERY));
  const group = weighted(
    PARTS.map((parts, place) => [parts, place] as const),
    random,
  );
  if (group === 0) return asCaller(world, random, (matter) => weighted(REQUESTED, random)(matter, random));
  if (group === 1) return asSent(world, random);
  if (group === 2) return documentRequest(world, random);
  if (group === 3) return metricsRequest(random);
  return consoleRequest(world, random);
}

function asCaller(world: FuzzWorld, random: Random, make: (matter: FuzzMatter) => FuzzRequest): FuzzRequest {
  const { key, isStrict, foreign } = random.pick(world.callers);
  const isAlias = random.chance(ALIAS_CHANCE);
  const made = make({ key, path: isAlias ? world.alias : world.path, datasets: world.datasets });
  const { right, ...open } = { ...made, foreign };
  return right === undefined || !isStrict || isAlias ? open : { ...open, right };
}

function asSent(world: FuzzWorld, random: Random): FuzzRequest {
  const { key, foreign } = random.pick(world.callers);
  return { ...weighted(SENT, random)({ key, path: world.path, datasets: world.datasets }, random), foreign };
}

function weighted<Item>(items: readonly (readonly [number, Item])[], random: Random): Item {
  let part = random.below(items.reduce((sum, [parts]) => sum + parts, 0));
  const found = items.find(([parts]) => (part -= parts) < 0);
  if (found === undefined) throw new RangeError("nothing to choose from");
  return found[1];
}
