import { ConsoleProblem } from "../api/console-problem.ts";

/** Whether the plan does not include the dataset. Other refusals have another code, or say why in their details. */
export const isPlanRefusal = (error: unknown): error is ConsoleProblem =>
  error instanceof ConsoleProblem && error.code === "FORBIDDEN" && error.details.length === 0;
