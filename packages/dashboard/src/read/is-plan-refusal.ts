import { ConsoleProblem } from "../api/console-problem.ts";

/** The plan does not include the dataset. Other refusals have another code, or say in their details what they are about. */
export const isPlanRefusal = (error: unknown): error is ConsoleProblem =>
  error instanceof ConsoleProblem && error.code === "FORBIDDEN" && error.details.length === 0;
