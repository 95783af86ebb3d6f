import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../records/schema.ts";
import type { Host } from "../definition/connector.ts";
import { createBudget, type Budget, type Priority } from "./budget.ts";
import type { Clock } from "./clock.ts";
import { claimBudgets, dropClaims, dropHosts } from "./control/claim-budgets.ts";

/** A backfill beside the service gets a quarter of what both may do; alone it gets all. */
const WEIGHTS: Readonly<Record<Priority, number>> = { live: 3, backfill: 1 };
/** Of a backfill's process until it has heard which others call the host. */
const FIRST_PORTION: Readonly<Record<Priority, number>> = { live: 1, backfill: 0.25 };
const EVERY_MS = 2000;
const SECONDS = 10;

/** The budgets of this process, one a host, kept to its part while other processes of the same records call it too. */
export type SharedBudgets = {
  readonly budgetOf: (host: Host) => Budget;
  /** Those asked for so far, by the host's name. */
  readonly budgets: ReadonlyMap<string, Budget>;
  readonly claimNow: () => Promise<void>;
  /** Gives the parts of these hosts back until they are asked for again. */
  readonly leave: (hosts: readonly string[]) => Promise<void>;
  /** Gives this process's part back. */
  readonly end: () => Promise<void>;
};

/** Where the records cannot be asked the parts stay as they were. */
export function shareBudgets(options: {
  readonly role: Priority;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
}): SharedBudgets {
  const { role, db, clock, log } = options;
  const budgets = new Map<string, Budget>();
  const left = new Set<string>();
  const owner = randomUUID();
  const ended = new AbortController();
  const claimNow = async (): Promise<void> => {
    const claim = {
      owner,
      weight: WEIGHTS[role],
      hosts: [...budgets.keys()].filter((host) => !left.has(host)),
      seconds: SECONDS,
    };
    for (const [host, portion] of await claimBudgets(db, claim)) budgets.get(host)?.takePortion(portion);
  };
  const tryToClaim = (): Promise<void> =>
    claimNow().catch((error: unknown) => log.warn({ err: error }, "the hosts' budgets could not be shared out"));
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await tryToClaim();
      await clock.sleep(EVERY_MS, ended.signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    budgets,
    claimNow,
    leave: async (hosts) => {
      for (const host of hosts) left.add(host);
      await dropHosts(db, owner, hosts).catch((error: unknown) =>
        log.warn({ err: error }, "a claim runs out by itself"),
      );
    },
    budgetOf: (host) => {
      left.delete(host.name);
      const known = budgets.get(host.name);
      if (known !== undefined) return known;
      const budget = createBudget(host, clock);
      budget.takePortion(FIRST_PORTION[role]);
      budgets.set(host.name, budget);
      void tryToClaim();
      return budget;
    },
    end: async () => {
      ended.abort(new Error("the hosts are left"));
      await running;
      await dropClaims(db, owner).catch((error: unknown) => log.warn({ err: error }, "a claim runs out by itself"));
    },
  };
}
