import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ConsoleProblem } from "./console-problem.ts";
import { SESSION_KEY } from "./session.ts";

const MAX_ATTEMPTS = 2;

/** A refusal is final; only an unreachable or overloaded service is worth a retry. */
export function isWorthAnotherTry(tries: number, error: Error): boolean {
  if (tries >= MAX_ATTEMPTS) return false;
  return !(error instanceof ConsoleProblem) || error.status === 0 || error.status >= 500;
}

export function createQueryClient(): QueryClient {
  const seeRefusal = (error: Error): void => {
    if (error instanceof ConsoleProblem && error.status === 401) client.setQueryData(SESSION_KEY, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: seeRefusal }),
    mutationCache: new MutationCache({ onError: seeRefusal }),
    defaultOptions: {
      queries: { retry: isWorthAnotherTry, staleTime: 15_000, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
  return client;
}
