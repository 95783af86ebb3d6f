import { QueryClient } from "@tanstack/react-query";
import { ConsoleProblem } from "./console-problem.ts";

const MAX_ATTEMPTS = 2;

/** A refusal is final; only an unreachable or overloaded service is worth a retry. */
export function isWorthAnotherTry(tries: number, error: Error): boolean {
  if (tries >= MAX_ATTEMPTS) return false;
  return !(error instanceof ConsoleProblem) || error.status === 0 || error.status >= 500;
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthAnotherTry, staleTime: 15_000, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
