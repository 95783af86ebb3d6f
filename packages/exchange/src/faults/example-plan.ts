import type { FaultPlanInput } from "./fault-plan.ts";

/** Example printed by `exchange faults`: 15 minutes with a mix of faults. */
export const examplePlan: FaultPlanInput = {
  seed: 7,
  faults: [
    { kind: "refuse", door: "data", share: 0.3, retry_after_seconds: 2, after_seconds: 30, for_seconds: 60 },
    { kind: "refuse", door: ["gamma", "kalshi"], share: 0.3, after_seconds: 60, for_seconds: 60 },
    { kind: "fail", door: "clob", share: 0.2, statuses: [502, 503], html: true },
    { kind: "slow", door: "rpc", share: 0.1, delay_ms: 3000, jitter_ms: 1000 },
    { kind: "half_body", door: "data", share: 0.02 },
    { kind: "repeat_page", door: "kalshi", path: "/trade-api/v2/markets/trades", share: 0.05 },
    { kind: "drift", door: "data", path: "/v2/trades", field: "price", change: "rename", after_seconds: 300, count: 5 },
    { kind: "freeze", door: "ws", share: 0.5, after_seconds: 120, for_seconds: 90 },
    { kind: "cut", door: ["ws", "kalshi_ws"], every_seconds: 45, share: 0.3 },
    { kind: "reorg", depth: 12, every_seconds: 30 },
    { kind: "lag", blocks: 4, share: 0.2 },
    { kind: "restart", door: "kalshi", after_seconds: 240, down_seconds: 10 },
  ],
};
