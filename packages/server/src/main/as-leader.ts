import { hostname } from "node:os";
import type { Logger } from "pino";
import { CommandError } from "../cli/command.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../ingest/clock.ts";
import type { Listener } from "../ingest/derive.ts";
import { tryToLead, whileLeading } from "../ingest/leader/lead.ts";
import { findLeader } from "../ingest/leader/leader-record.ts";
import { forgetVersions } from "../ingest/rebuild.ts";
import type { IngestContext } from "../ingest/run-stream.ts";
import type { Leadership } from "../ingest/schedule.ts";
import { publishChanges, collectUnpublished } from "../ingest/change-log/publish-changes.ts";
import { runningOwner } from "./command-engines.ts";
import type { Engines } from "./open-engines.ts";
import { requireOwnRows } from "./own-rows.ts";

type How = { readonly log: Logger; readonly signal: AbortSignal };
type Standing = {
  /** The command ties the records to this store itself. */
  readonly isAnyStore?: boolean;
  /** The service pauses its derivations while the command runs. */
  readonly inPlace?: "of derivations";
};
type Parts = Pick<Engines, "store" | "records">;

/** Resources of a command while no other process writes to the stores. */
export type Leading = Pick<IngestContext, "store"> & {
  readonly sure?: IngestContext["sure"] | undefined;
  readonly records: Pick<IngestContext, "db">;
  /** In a service: notified of what the command stores. */
  readonly deriver?: Listener;
  /** Aborted with the command's own signal, and when another process takes the lead. */
  readonly signal: AbortSignal;
};

/**
 * How this process becomes leader among those sharing a PostgreSQL; undefined for embedded records, which have one
 * process.
 */
export function leadershipOf(
  { databaseUrl, leaseSeconds }: Pick<Config, "databaseUrl" | "leaseSeconds">,
  { store, records }: Parts,
  { log, isAnyStore = false }: { readonly log: Logger; readonly isAnyStore?: boolean },
): Leadership | undefined {
  if (databaseUrl === undefined) return undefined;
  const unpublished = collectUnpublished(store);
  let endPublishing: (() => Promise<void>) | undefined;
  return {
    db: records.db,
    label: `${hostname()}:${process.pid}`,
    seconds: leaseSeconds,
    clock: systemClock,
    monotonicMs: () => performance.now(),
    log,
    begin: async (lease) => {
      await store.beginWriting(lease);
      forgetVersions(store);
      // A restore may have been interrupted since this process started.
      if (!isAnyStore) await requireOwnRows({ store, records }, { isWriter: true });
      const db = records.under(lease.token);
      endPublishing = await publishChanges({ db, token: lease.token, unpublished, clock: systemClock, log });
      return { store, db, sure: lease.sure };
    },
    end: async () => {
      try {
        await store.endWriting();
      } finally {
        await endPublishing?.();
        endPublishing = undefined;
      }
    },
  };
}

/**
 * Runs a command as the only writer: with PostgreSQL it holds the leader lease meanwhile. Throws CommandError if
 * another process leads. In a service that leads, the command runs alongside ingest.
 */
export async function asLeader<T>(
  config: Pick<Config, "databaseUrl" | "leaseSeconds">,
  engines: Parts,
  { log, signal, isAnyStore = false, inPlace }: How & Standing,
  work: (leading: Leading) => Promise<T>,
): Promise<T> {
  const beside = runningOwner()?.ingest?.beside(
    ({ store, db, sure, deriver, signal: ended }) =>
      work({ store, sure, deriver, records: { db }, signal: AbortSignal.any([signal, ended]) }),
    inPlace,
  );
  if (beside !== undefined) return await beside;
  const leadership = leadershipOf(config, engines, { log, isAnyStore });
  if (leadership === undefined) return await work({ ...engines, signal });
  const led = await tryToLead(leadership);
  if (led === undefined) throw await ledByAnother(engines);
  const { lease } = led;
  return await whileLeading(lease, leadership, async () => {
    try {
      const { store, db, sure } = await leadership.begin(lease);
      return await work({ store, records: { db }, sure, signal: AbortSignal.any([signal, lease.signal]) });
    } finally {
      await leadership.end();
    }
  });
}

async function ledByAnother({ records }: Pick<Parts, "records">): Promise<CommandError> {
  const leader = await findLeader(records.db);
  const who = leader === undefined ? "another process" : leader.process;
  return new CommandError(1, `${who} ingests and writes there: run it there, or stop that process`);
}
