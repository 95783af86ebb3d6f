import { ConsoleProblem } from "./console-problem.ts";

/** What the service told of an error; undefined where there is none, or it is of another kind. */
export const problemOf = (error: unknown): ConsoleProblem | undefined =>
  error instanceof ConsoleProblem ? error : undefined;
