import type { FaultPlanInput } from "../../packages/exchange/src/faults/fault-plan.ts";

export type FaultOrder = FaultPlanInput["faults"][number];

/** Source of Polymarket's fills; "data_then_chain": the service is given the node at its first restart. */
export type FillSource = "chain" | "chain_and_rtds" | "data" | "data_then_chain";

/** How a service process ends: by a signal, this many machine seconds after it listens, or after its start. */
export type Kill = {
  readonly at: "moment" | "start";
  readonly afterSeconds: number;
  /** Kills its engine at the same time. */
  readonly whole: boolean;
  /** The next process starts without waiting for the engine to exit. */
  readonly isRestartedAtOnce: boolean;
};

/** Everything about a run, derived from its seed. */
export type RunPlan = {
  readonly seed: number;
  readonly source: FillSource;
  readonly hasKalshiKey: boolean;
  readonly world: {
    readonly days: number;
    readonly events: number;
    readonly wallets: number;
    readonly kalshi_markets: number;
    readonly activity: number;
  };
  /** How long the world runs under ingestion, in its own seconds. */
  readonly liveSeconds: number;
  readonly faults: FaultPlanInput;
  readonly kills: readonly Kill[];
};
