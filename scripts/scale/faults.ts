import type { Weather } from "../../packages/server/test/scale/net/weather.ts";
import type { Act, Fault, Need } from "./fault.ts";

const SILENT: Weather = { isSilent: true };
const CUT: Weather = { isCut: true };
const LATE: Weather = { delayMs: 200, jitterMs: 50 };
const NARROW: Weather = { bytesPerSecond: 40_000 };

/** Nothing may fail after a second try: another process or another replica answers. */
const SURVIVED = { mostFailedShare: 0, mostRecoverySeconds: 30 };
/** There is one of it alone: what needs it fails meanwhile, and says so. */
const AWAY = { mostFailedShare: 1, mostRecoverySeconds: 60 };
/** Slow, and some questions over their time. */
const SLOWED = { mostFailedShare: 0.05, mostRecoverySeconds: 30 };

const kill = (part: string): Act => ({ kind: "kill", part });
const freeze = (part: string): Act => ({ kind: "freeze", part });
const weather = (from: string, to: string, how: Weather): Act => ({ kind: "weather", from, to, weather: how });

type Shared = Pick<Fault, "holds" | "seconds"> & { readonly needs?: readonly Need[] };
const define = (name: string, about: string, acts: readonly Act[], shared: Shared): Fault => ({
  name,
  about,
  acts,
  ...shared,
});

const REPLICAS = ["replicas"] as const;

function nodeFaults(): Fault[] {
  const nodes = ["columns-1-1", "columns-1-2", "columns-2-1", "columns-2-2"];
  return [
    ...nodes.map((node) =>
      define(`kill-${node}`, `kill -9 of ClickHouse ${node}`, [kill(node)], {
        seconds: 10,
        holds: SURVIVED,
        needs: REPLICAS,
      }),
    ),
    define("freeze-columns-1-1", "SIGSTOP of ClickHouse columns-1-1", [freeze("columns-1-1")], {
      seconds: 10,
      holds: SLOWED,
      needs: REPLICAS,
    }),
    define("kill-shard-1", "kill -9 of both replicas of shard 1", [kill("columns-1-1"), kill("columns-1-2")], {
      seconds: 10,
      holds: AWAY,
      needs: REPLICAS,
    }),
    define("cut-between-nodes", "resets between ClickHouse nodes", [weather("columns-*", "columns-*", CUT)], {
      seconds: 10,
      holds: SLOWED,
      needs: REPLICAS,
    }),
    define("kill-columns", "kill -9 of every ClickHouse node", [kill("columns-*")], { seconds: 8, holds: AWAY }),
    define("silent-columns", "nothing comes from ClickHouse any more", [weather("*", "columns-*", SILENT)], {
      seconds: 10,
      holds: AWAY,
    }),
    define("late-columns", "ClickHouse 200 ± 50 ms away", [weather("*", "columns-*", LATE)], {
      seconds: 10,
      holds: SLOWED,
    }),
    define("narrow-columns", "40 kB/s to and from ClickHouse", [weather("*", "columns-*", NARROW)], {
      seconds: 10,
      holds: AWAY,
    }),
    define("full-disk", "the disk of columns-1-1 is full", [{ kind: "fill_disk", part: "columns-1-1" }], {
      seconds: 10,
      holds: AWAY,
      needs: ["small_disk"],
    }),
  ];
}

function recordFaults(): Fault[] {
  return [
    define("kill-records", "PostgreSQL ends as in a crash (SIGQUIT)", [kill("records")], {
      seconds: 10,
      holds: SURVIVED,
    }),
    define("silent-records", "nothing comes from PostgreSQL any more", [weather("*", "records", SILENT)], {
      seconds: 10,
      holds: SURVIVED,
    }),
    define("late-records", "PostgreSQL 200 ± 50 ms away", [weather("*", "records", LATE)], {
      seconds: 10,
      holds: SLOWED,
    }),
    define("kill-redis", "kill -9 of Redis, which loses what it held", [kill("redis")], {
      seconds: 10,
      holds: SURVIVED,
    }),
    define("freeze-redis", "SIGSTOP of Redis", [freeze("redis")], { seconds: 10, holds: SURVIVED }),
    define("cut-redis", "resets between everything and Redis", [weather("*", "redis", CUT)], {
      seconds: 10,
      holds: SURVIVED,
    }),
  ];
}

function processFaults(): Fault[] {
  return [
    define("kill-api", "kill -9 of an api process", [kill("api-1")], {
      seconds: 8,
      holds: SURVIVED,
      needs: ["two_apis"],
    }),
    define("freeze-api", "SIGSTOP of an api process", [freeze("api-1")], {
      seconds: 8,
      holds: SLOWED,
      needs: ["two_apis"],
    }),
    define("kill-ingest", "kill -9 of the process that gathers", [kill("ingest-owner")], {
      seconds: 12,
      holds: SURVIVED,
    }),
    define("freeze-ingest", "SIGSTOP of the owner for longer than its lease", [freeze("ingest-owner")], {
      seconds: 25,
      holds: SURVIVED,
      needs: ["two_ingests"],
    }),
    define(
      "part-ingest",
      "the owner loses PostgreSQL for longer than its lease, and keeps ClickHouse",
      [weather("ingest-owner", "records", SILENT)],
      { seconds: 25, holds: SURVIVED, needs: ["two_ingests"] },
    ),
  ];
}

function venueFaults(): Fault[] {
  return [
    define("cut-venues", "resets between us and every venue", [weather("*", "venue-*", CUT)], {
      seconds: 12,
      holds: SURVIVED,
    }),
    define("silent-venues", "nothing comes from any venue", [weather("*", "venue-*", SILENT)], {
      seconds: 20,
      holds: SURVIVED,
    }),
    define("late-venues", "every venue 200 ± 50 ms further away", [weather("*", "venue-*", LATE)], {
      seconds: 10,
      holds: SURVIVED,
    }),
  ];
}

/** Every fault of the list, in the order in which they are done. */
export const FAULTS: readonly Fault[] = [...processFaults(), ...recordFaults(), ...venueFaults(), ...nodeFaults()];
