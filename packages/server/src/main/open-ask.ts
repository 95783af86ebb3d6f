import type { Kysely } from "kysely";
import { connectors, datasets, dayDerivations, derivations, folds, refreshes } from "../catalogue.ts";
import type { Config } from "../config.ts";
import { sourcesOf } from "../definition/derivation.ts";
import { foldMakers } from "../definition/fold.ts";
import type { Maker } from "../definition/coverage.ts";
import type { Clock } from "../ingest/clock.ts";
import { createCoverage } from "../ingest/coverage/coverage.ts";
import { createHeld } from "../ingest/coverage/held-spans.ts";
import type { Ask } from "../query/answer.ts";
import { openQuery, type QueryOptions } from "../query/open-query.ts";
import type { RecordsSchema } from "../records/schema.ts";
import { isAlone, type Indexes } from "./open-indexes.ts";
import { readSecret } from "./read-secret.ts";

type Asking = Required<Pick<QueryOptions, "store" | "count">> &
  Pick<QueryOptions, "servedUntil" | "changeLagMs"> & {
    readonly db: Kysely<RecordsSchema>;
    readonly clock: Clock;
    /** Now by the venues' clock (Unix ms). */
    readonly venueNow: () => number;
    readonly indexes: Omit<Indexes, "status" | "renew">;
  };

/** Upper bound on the delay until another process's writes are in every index that answers. */
const CHANGE_LAG_MS = 2_500;

/** Opens the query pipeline as every process of the service uses it. */
export function openAsk(config: Config, { db, clock, venueNow, indexes, ...asking }: Asking): Ask {
  const { venuesBegan } = config;
  const began = venuesBegan === undefined ? {} : { began: () => venuesBegan };
  return openQuery({
    served: indexes.sources,
    servedTokens: indexes.tokenSources,
    listed: indexes.lists,
    vocabularies: indexes.vocabularies,
    countServed: indexes.count,
    compared: indexes.compared,
    catalogue: datasets,
    coverageOf: createCoverage({ connectors, derivations, makers, db, clock, venueNow, ...began }),
    heldOf: createHeld({ connectors, makers: allMakers, db, clock, venueNow }),
    secret: readSecret(config),
    paramsUnknown: config.paramsUnknown,
    isAlone: isAlone(config),
    ...(isAlone(config) ? {} : { changeLagMs: CHANGE_LAG_MS }),
    statementsAtOnce: config.statementsAtOnce,
    hasCold: config.cooling !== undefined,
    now: Date.now,
    ...asking,
  });
}

/** Producers of derived tables other than the time-bucket derivations. */
const makers: readonly Maker[] = [
  ...refreshes,
  ...folds.flatMap(foldMakers),
  ...dayDerivations.map((derivation) => Object.assign({}, derivation, { everySeconds: 3600 })),
];

const allMakers: readonly Maker[] = [
  ...makers,
  ...derivations.map((one) => Object.assign({}, one, { from: sourcesOf(one), everySeconds: 0 })),
];
