import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../records/schema.ts";
import type { Budget, Priority } from "./budget.ts";
import type { Clock } from "./clock.ts";
import { claimBudgets, dropClaims } from "./control/claim-budgets.ts";

/** A backfill beside the service gets a quarter of what both may do; alone it gets all. */
const WEIGHTS: Readonly<Record<Priority, number>> = { live: 3, backfill: 1 };
const EVERY_MS = 2000;
const SECONDS = 10;

/**
 * Keeps the budgets of this process to its part while other processes of the same records call the same hosts. Where
 * the records cannot be asked the parts stay as they were. Returns what ends it and gives the part back.
 */
export function shareBudgets(options: {
  readonly budgets: ReadonlyMap<string, Budget>;
  readonly role: Priority;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
}): { readonly claimNow: () => Promise<void>; readonly end: () => Promise<void> } {
  const { budgets, role, db, clock, log } = options;
  const owner = randomUUID();
  const ended = new AbortController();
  const claimNow = async (): Promise<void> => {
    const claim = { owner, weight: WEIGHTS[role], hosts: [...budgets.keys()], seconds: SECONDS };
    for (const [host, portion] of await claimBudgets(db, claim)) budgets.get(host)?.takePortion(portion);
  };
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await claimNow().catch((error: unknown) =>
        log.warn({ err: error }, "the hosts' budgets could not be shared out"),
      );
      await clock.sleep(EVERY_MS, ended.signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    claimNow,
    end: async () => {
      ended.abort(new Error("the hosts are left"));
      await running;
      await dropClaims(db, owner).catch((error: unknown) => log.warn({ err: error }, "a claim runs out by itself"));
    },
  };
}
