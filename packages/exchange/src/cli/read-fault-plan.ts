import { readFileSync } from "node:fs";
import { z } from "zod";
import { type FaultPlan, faultPlan } from "../faults/fault-plan.ts";

/** Reads a fault plan from a JSON file; throws an error that names the file and what is wrong with it. */
export function readFaultPlan(file: string): FaultPlan {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const plan = faultPlan.safeParse(json);
  if (!plan.success) throw new Error(`${file} is not a fault plan:\n${z.prettifyError(plan.error)}`);
  return plan.data;
}
