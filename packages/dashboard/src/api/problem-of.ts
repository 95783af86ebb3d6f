import { ConsoleProblem } from "./console-problem.ts";

/** The service's problem behind an error; undefined if there is no error, or it is of another kind. */
export const problemOf = (error: unknown): ConsoleProblem | undefined =>
  error instanceof ConsoleProblem ? error : undefined;
