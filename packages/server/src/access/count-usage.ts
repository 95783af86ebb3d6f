import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../records/schema.ts";
import { bucketOf } from "./latency-buckets.ts";

/** One answered request. `agentId` is 0 if no dataset was recognised; `ms` is the total time in the service. */
export type Usage = {
  readonly keyId: string;
  readonly agentId: number;
  readonly status: number;
  readonly rows: number;
  readonly bytes: number;
  readonly ms: number;
};

export type UsageCounter = {
  /** Counts a request in memory; never throws and never waits. */
  readonly count: (usage: Usage) => void;
  /** Writes the counts. Resolves even on failure: the counts are kept for the next time. */
  readonly flush: () => Promise<void>;
};

type Line = UsageSums & { day: string; key_id: string; agent_id: number; status: number };

/** Far more than a day's combinations of key, dataset and status; beyond it counts are dropped and this is logged. */
const MAX_LINES = 100_000;
const LINES_A_STATEMENT = 5000;

/** Sums requests by day (UTC), key, dataset and status, and keeps each key's last use. */
export function usageCounter(db: Kysely<RecordsSchema>, clock: () => number, log: Pick<Logger, "warn">): UsageCounter {
  let lines = new Map<string, Line>();
  let lastUsed = new Map<string, number>();
  let dropped = 0;
  let flushing = Promise.resolve();
  let next: Promise<void> | undefined;

  const add = (line: Line): void => {
    const id = `${line.day} ${line.key_id} ${line.agent_id} ${line.status}`;
    const before = lines.get(id);
    if (before) addUsage(before, line);
    else if (lines.size < MAX_LINES) lines.set(id, line);
    else dropped += line.requests;
  };
  const write = async (): Promise<void> => {
    if (dropped > 0) log.warn({ dropped }, "usage counts were dropped: the control records cannot be written");
    dropped = 0;
    const taken = [...lines.values()].sort(byKey);
    const used = [...lastUsed];
    lines = new Map();
    lastUsed = new Map();
    try {
      if (taken.length > 0) await store(db, taken, used);
    } catch (error) {
      log.warn({ err: error, lines: taken.length }, "usage could not be written; it is retried");
      for (const line of taken) add(line);
      for (const [key, at] of used) lastUsed.set(key, Math.max(at, lastUsed.get(key) ?? 0));
    }
  };
  return {
    count: (usage) => {
      const now = clock();
      lastUsed.set(usage.keyId, now);
      add({
        day: new Date(now).toISOString().slice(0, 10),
        key_id: usage.keyId,
        agent_id: usage.agentId,
        status: usage.status,
        requests: 1,
        rows: usage.rows,
        bytes: usage.bytes,
        ms: Math.round(usage.ms),
        times: new Map([[bucketOf(usage.ms), 1]]),
      });
    },
    // Whoever asks during a flush shares the one after it, which writes all that was counted until it begins.
    flush: () => {
      next ??= flushing.then(() => {
        next = undefined;
        flushing = write();
        return flushing;
      });
      return next;
    },
  };
}

/** The same order on every node: two that write the same lines then wait for each other instead of deadlocking. */
function byKey(a: Line, b: Line): number {
  const left = `${a.day} ${a.key_id}`;
  const right = `${b.day} ${b.key_id}`;
  if (left !== right) return left < right ? -1 : 1;
  return a.agent_id - b.agent_id || a.status - b.status;
}

async function store(
  db: Kysely<RecordsSchema>,
  lines: readonly Line[],
  used: readonly [string, number][],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (let from = 0; from < lines.length; from += LINES_A_STATEMENT) {
      await storeLines(transaction, lines.slice(from, from + LINES_A_STATEMENT));
    }
    const touched = used
      .map(([id, at]) => ({ id, at: new Date(at).toISOString() }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    await sql`
      update api_keys set last_used_at = greatest(api_keys.last_used_at, used.at)
      from jsonb_to_recordset(${json(touched)}) as used (id text, at timestamptz)
      where api_keys.id = used.id`.execute(transaction);
  });
}

/** The conflict clause of an insert into `usage`: adds to the existing line. */
export const ADDED_UP = sql`
  on conflict (day, key_id, agent_id, status) do update set
    requests = usage.requests + excluded.requests, rows = usage.rows + excluded.rows,
    bytes = usage.bytes + excluded.bytes, ms = usage.ms + excluded.ms,
    (ms_buckets, ms_counts) = (
      select array_agg(bucket order by bucket), array_agg(requests order by bucket)
      from (
        select bucket, cast(sum(requests) as bigint) as requests
        from (
          select * from unnest(usage.ms_buckets, usage.ms_counts)
          union all
          select * from unnest(excluded.ms_buckets, excluded.ms_counts)
        ) as both_lines (bucket, requests)
        group by bucket
      ) as merged
    )`;

async function storeLines(db: Kysely<RecordsSchema>, lines: readonly Line[]): Promise<void> {
  const rows = lines.map(({ times, ...line }) =>
    Object.assign(line, { ms_buckets: [...times.keys()], ms_counts: [...times.values()] }),
  );
  await sql`
    insert into usage (day, key_id, agent_id, status, requests, rows, bytes, ms, ms_buckets, ms_counts)
    select day, key_id, agent_id, status, requests, rows, bytes, ms, ms_buckets, ms_counts
    from jsonb_to_recordset(${json(rows)})
      as line (day date, key_id text, agent_id integer, status integer, requests bigint, rows bigint, bytes bigint,
        ms bigint, ms_buckets smallint[], ms_counts bigint[]) ${ADDED_UP}`.execute(db);
}

const json = (value: unknown): RawBuilder<unknown> => sql`cast(${JSON.stringify(value)} as jsonb)`;

/** Sums over requests. */
export type UsageSums = {
  requests: number;
  rows: number;
  bytes: number;
  ms: number;
  /** Latency bucket (access/latency-buckets.ts) → requests. */
  readonly times: Map<number, number>;
};

export function addUsage(sums: UsageSums, more: Readonly<UsageSums>): void {
  sums.requests += more.requests;
  sums.rows += more.rows;
  sums.bytes += more.bytes;
  sums.ms += more.ms;
  for (const [bucket, requests] of more.times) sums.times.set(bucket, (sums.times.get(bucket) ?? 0) + requests);
}
