import type { Weather } from "../../packages/server/test/scale/net/weather.ts";

/** One thing that is done to the topology. Parts and links are named as in topology.ts; a trailing * stands for any end. */
export type Act =
  /** SIGKILL; what keeps processes running starts it again when the fault is over. */
  | { readonly kind: "kill"; readonly part: string }
  /** SIGSTOP, then SIGCONT. */
  | { readonly kind: "freeze"; readonly part: string }
  | { readonly kind: "weather"; readonly from: string; readonly to: string; readonly weather: Weather }
  | { readonly kind: "fill_disk"; readonly part: string };

/** What a fault needs of the topology; without it, it is left out with that reason. */
export type Need = "replicas" | "two_ingests" | "two_apis" | "small_disk";

export type Fault = {
  readonly name: string;
  readonly about: string;
  readonly acts: readonly Act[];
  /** How long it lasts. */
  readonly seconds: number;
  readonly needs?: readonly Need[];
  readonly holds: {
    /** Most requests that may fail after their second try, of all while it lasts: 0 to 1. */
    readonly mostFailedShare: number;
    /** From its end until all is ready and no further behind than before. */
    readonly mostRecoverySeconds: number;
  };
};
