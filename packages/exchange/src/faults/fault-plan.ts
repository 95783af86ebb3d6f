import { z } from "zod";
import { fault } from "./fault.ts";
import { faultKinds } from "./fault-kinds.ts";

/** Faults of the endpoints and their schedule: the body of `POST /faults` and the file of `--faults`. */
export const faultPlan = z
  .strictObject({
    /** The same plan, seed and order of requests give the same faults. */
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(1),
    faults: z.array(fault).max(64),
  })
  .superRefine((plan, context) => {
    for (const [index, { kind, door }] of plan.faults.entries()) {
      const wrong = [door ?? []].flat().find((each) => !faultKinds[kind].doors.includes(each));
      if (wrong === undefined) continue;
      const message = `${kind} does not apply to ${wrong}, only to ${faultKinds[kind].doors.join(", ")}`;
      context.addIssue({ code: "custom", path: ["faults", index, "door"], message });
    }
  });

/** Plan as input: fields with defaults may be omitted. */
export type FaultPlanInput = z.input<typeof faultPlan>;

/** Plan with all defaults filled in. */
export type FaultPlan = z.output<typeof faultPlan>;
