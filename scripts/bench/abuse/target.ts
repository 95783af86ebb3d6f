import type { AbuseName } from "./scenes.ts";

/** Whom abusers have before them, and what they were given. */
export type Target = {
  readonly baseUrl: string;
  /** Of the free account. */
  readonly keys: readonly string[];
  readonly wallets: readonly string[];
  /** The last UTC day of the world. */
  readonly lastDay: string;
  /** Of questions of one account of the free plan. */
  readonly atOnce: number;
  readonly idleSockets: number;
};
export type Told = { readonly begin: readonly AbuseName[]; readonly target: Target } | "end";
/** How often what came of it: statuses, codes of broken connections, or what was counted. */
export type Got = Readonly<Record<string, number>>;
export type Abuse = (target: Target, signal: AbortSignal) => Promise<Got>;

/** Each address has its own bounds, as abusers elsewhere have. */
export const addressOf = (abuse: AbuseName): string => ADDRESSES[abuse];

const ADDRESSES: Readonly<Record<AbuseName, string>> = {
  expensive: "127.0.0.2",
  idle: "127.0.0.3",
  strangers: "127.0.0.4",
  slow: "127.0.0.5",
};
