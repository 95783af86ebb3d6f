import type { Kysely } from "kysely";
import type { HeldLease } from "../../records/leased-sessions.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Store } from "../../store/store.ts";
import { backoffMs } from "../backoff.ts";
import { gatherStreams, type GatherOptions } from "../gather-streams.ts";
import type { Planned } from "../plan-streams.ts";
import type { Ground } from "../run-stream.ts";
import { workOut } from "../work-out.ts";
import { groupStreams } from "./group-streams.ts";
import { LeaseKeeper } from "./keep-leases.ts";
import type { Lease } from "./lease.ts";
import type { Sharer } from "./lease-record.ts";
import { lookRegularly } from "./look-regularly.ts";
import type { Work } from "./plan-takes.ts";

/** What a process needs to share the work with others of the same records and the same column engine. */
export type Sharing = {
  readonly sharer: Sharer;
  readonly seconds: number;
  /** Never stands still and never jumps, also while the process is stopped (ms). */
  readonly monotonicMs: () => number;
  readonly db: Kysely<RecordsSchema>;
  readonly recordsUnder: (held: readonly HeldLease[]) => Kysely<RecordsSchema>;
  readonly storeUnder: (fence: Pick<Lease, "check" | "hasGuests">) => Store;
  /** Ends what an earlier owner still has under way in these tables. */
  readonly endWriters: (tables: readonly string[]) => Promise<void>;
};

/** All that is worked out has one owner: what one derivation makes is what another reads. */
export const DERIVE = "derive";
/** Rows that were on their way when a stream came here are stored by then. */
const SETTLED_MS = 30_000;
const PACE = { firstMs: 200, mostMs: 2000 };

/** Works on this process's part of the streams and of what is worked out from them. */
export function shareWork(options: GatherOptions, sharing: Sharing): LeaseKeeper {
  const { clock, planned, gathering } = options;
  const began = clock.now();
  const isSettled = (name: string): boolean => {
    const here = gathering.get(name);
    return here !== undefined && clock.now() - Math.max(here.since, began) >= SETTLED_MS;
  };
  // Who gathers nothing need not have the keys of those who do.
  const mayRun = ({ state }: Planned): boolean => state === "on" || sharing.sharer.role === "derive";
  const foreign = (): ReadonlySet<string> =>
    tablesOf(planned.filter((plan) => mayRun(plan) && !isSettled(plan.connector.name)));
  const derive: Work = {
    name: DERIVE,
    kind: "derive",
    leases: [DERIVE],
    run: (lease) =>
      workUnder(lease, derivedTables(options), options, sharing, (ground) =>
        workOut(options, ground, lease.signal, {
          alongside: (deriver) => lookRegularly(deriver, { clock, signal: lease.signal, foreign }),
        }),
      ),
  };
  return new LeaseKeeper([...streamWorks(options, sharing), derive], { ...options, ...sharing });
}

function streamWorks(options: GatherOptions, sharing: Sharing): Work[] {
  const { planned } = options;
  const groups = groupStreams(planned.map(({ connector }) => connector));
  return groups.flatMap((group): Work[] => {
    const mine = planned.filter(({ connector }) => group.includes(connector));
    if (mine.every(({ state }) => state !== "on")) return [];
    const leases = group.map(({ name }) => name);
    const run = (lease: Lease): Promise<void> =>
      workUnder(lease, tablesOf(mine), options, sharing, (ground) =>
        gatherStreams(options, mine, ground, lease.signal),
      );
    return [{ name: leases[0] ?? "", kind: "streams", leases, run }];
  });
}

/** Nothing is written before an earlier owner's statements are at their end. */
async function workUnder(
  lease: Lease,
  tables: ReadonlySet<string>,
  { clock, log }: GatherOptions,
  { recordsUnder, storeUnder, endWriters }: Sharing,
  work: (ground: Ground) => Promise<void>,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    if (lease.signal.aborted) return;
    try {
      await endWriters([...tables]);
      break;
    } catch (error) {
      log.warn({ err: error, tried }, "an earlier owner's statements could not be ended; it is tried again");
      await clock.sleep(backoffMs(tried, PACE), lease.signal).catch(() => undefined);
    }
  }
  const store = storeUnder(lease);
  try {
    await work({ db: recordsUnder(lease.held), store, sure: lease.sure });
  } finally {
    await store.close().catch(() => undefined);
  }
}

const tablesOf = (planned: readonly Planned[]): ReadonlySet<string> =>
  new Set(planned.flatMap(({ connector: { tables, addsTo = [] } }) => [...tables, ...addsTo].map(({ name }) => name)));

function derivedTables({ derivations, folds = [], dayDerivations = [], refreshes = [] }: GatherOptions) {
  const into = [...derivations, ...dayDerivations, ...refreshes].map((one) => one.into);
  return new Set([...into, ...folds.flatMap((fold) => fold.into)].map(({ name }) => name));
}
