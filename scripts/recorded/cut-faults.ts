import type { FaultPlanInput } from "../../packages/exchange/src/faults/fault-plan.ts";

const http = ["gamma", "clob", "data", "kalshi"] as const;

/** Answers that are refused, fail, are cut in the middle or are no JSON, and rows that come twice. */
export const cutFaults: FaultPlanInput = {
  seed: 1,
  faults: [
    { kind: "refuse", door: [...http], share: 0.05 },
    { kind: "fail", door: [...http], share: 0.05 },
    { kind: "reset", door: [...http], share: 0.05 },
    { kind: "half_body", door: [...http], share: 0.05 },
    { kind: "garbage", door: [...http], share: 0.05 },
    // Alike trades of the Data API may be different ones: there a repeat cannot be told.
    { kind: "duplicate_rows", door: ["gamma", "kalshi"], share: 0.3 },
  ],
};
