import type { FaultPlanInput } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { KillSwitch } from "./kill-switch.ts";

export type FaultOrder = FaultPlanInput["faults"][number];

/** Where Polymarket's fills come from; "data_then_chain": the node is given to the service at its first restart. */
export type FillSource = "chain" | "chain_and_rtds" | "data" | "data_then_chain";

/**
 * How a service's life ends. A switch ends it inside itself; else a signal does, so many machine seconds after its
 * start; `whole` ends its engine in the same moment. `at_once`: the next one starts without waiting for the engine.
 */
export type Kill = {
  readonly by: KillSwitch | { readonly at: "moment" | "start"; readonly afterSeconds: number; readonly whole: boolean };
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
