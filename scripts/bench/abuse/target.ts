import type { AbuseName } from "./scenes.ts";

/** The service under abuse, and what the abusers were given. */
export type Target = {
  readonly baseUrl: string;
  /** Keys of the free account. */
  readonly keys: readonly string[];
  readonly wallets: readonly string[];
  /** The last UTC day of the world. */
  readonly lastDay: string;
  /** Concurrent requests allowed to one account of the free plan. */
  readonly atOnce: number;
  readonly idleSockets: number;
};
export type Reported = { readonly begin: readonly AbuseName[]; readonly target: Target } | "end";
/** Counts by outcome: statuses, codes of broken connections, or other counters. */
export type Got = Readonly<Record<string, number>>;
export type Abuse = (target: Target, signal: AbortSignal) => Promise<Got>;

/** Own local address per abuse, so that each has its own limits, as remote abusers would. */
export const addressOf = (abuse: AbuseName): string => ADDRESSES[abuse];

const ADDRESSES: Readonly<Record<AbuseName, string>> = {
  expensive: "127.0.0.2",
  idle: "127.0.0.3",
  strangers: "127.0.0.4",
  slow: "127.0.0.5",
};
