import type { FaultPlanInput } from "../../packages/exchange/src/faults/fault-plan.ts";

export type FaultOrder = FaultPlanInput["faults"][number];

/** Where Polymarket's fills come from; "data_then_chain": the node is given to the service at its first restart. */
export type FillSource = "chain" | "chain_and_rtds" | "data" | "data_then_chain";

/** How a service's life ends: by a signal, so many machine seconds after it listens, or after its start. */
export type Kill = {
  readonly at: "moment" | "start";
  readonly afterSeconds: number;
  /** Ends its engine in the same moment. */
  readonly whole: boolean;
  /** The next one starts without waiting for the engine. */
  readonly isRestartedAtOnce: boolean;
};

/** All that a run is, worked out from its seed. */
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
  /** How long the world goes on while it is gathered, in its own seconds. */
  readonly liveSeconds: number;
  readonly faults: FaultPlanInput;
  readonly kills: readonly Kill[];
};
