import { tables } from "../../catalogue.ts";
import type { Config } from "../../config.ts";
import type { OpenStore } from "../../store/open-store.ts";
import type { Indexes } from "../open-indexes.ts";
import type { Standing } from "./protocol.ts";

/** Changes are told at once; that nothing changed, and what statements of the store's own changed, so often. */
const EVERY_MS = 100;

type Looked = {
  readonly config: Pick<Config, "clickhouseUrl">;
  readonly store: Pick<OpenStore, "address" | "stampOf" | "onChanged">;
  readonly indexes: Pick<Indexes, "standing">;
  readonly venueAheadMs: () => number;
};

export type Telling = {
  /** How it is now, for who hears it first. */
  readonly now: () => Standing;
  readonly stop: () => void;
};

/** Tells how tables and indexes stand, from now on. */
export function tellStanding(looked: Looked, tell: (standing: Standing) => void): Telling {
  const { config, store, indexes, venueAheadMs } = looked;
  const stamps = new Map(tables.map((table) => [table, store.stampOf([table])]));
  const unknown = new Set<string>();
  let [isAbout, isStopped] = [false, false];
  // The moment first: what is whole afterwards has everything up to it.
  const look = (changed: Standing["changed"]): Standing => ({
    at: Date.now(),
    venueAheadMs: venueAheadMs(),
    address: config.clickhouseUrl === undefined ? store.address : undefined,
    changed,
    indexes: indexes.standing(),
  });
  const tellNow = (): void => {
    isAbout = false;
    if (isStopped) return;
    const changed = tables
      .filter((table) => store.stampOf([table]) !== stamps.get(table))
      .map((table) => {
        stamps.set(table, store.stampOf([table]));
        return { table: table.name, isUnknown: unknown.has(table.name) };
      });
    unknown.clear();
    tell(look(changed));
  };
  store.onChanged(({ name }, left) => {
    if (left === "unknown") unknown.add(name);
    if (!isAbout) queueMicrotask(tellNow);
    isAbout = true;
  });
  const timer = setInterval(tellNow, EVERY_MS).unref();
  return {
    now: () => look([]),
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
