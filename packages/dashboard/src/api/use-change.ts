import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";

interface Change {
  readonly method?: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** A console mutation; afterwards everything read below `touches` is fetched again. */
export function useChange<Given, Reply = unknown>(
  touches: readonly string[],
  toChange: (given: Given) => Change,
): UseMutationResult<Reply, Error, Given> {
  const api = useConsole();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => {
      const { method = "POST", path, body } = toChange(given);
      return api.send<Reply>(method, path, body);
    },
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) =>
          kind === "read" && touches.some((touched) => String(path).startsWith(touched)),
      }),
  });
}
