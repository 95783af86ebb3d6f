import {
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useConsole } from "./console.ts";
import type { SessionReply, SessionUser } from "./session-user.ts";

export const SESSION_KEY = ["read", "/session"] as const;

/** Drops cached data when the user changes: one user's data must not be shown to the next. */
function forgetFormer(client: QueryClient, next: SessionUser | null): void {
  const former = client.getQueryData<SessionUser | null>(SESSION_KEY);
  if (former?.id === next?.id) {
    // Which datasets may be read depends on the plan.
    if (former?.account.plan !== next?.account.plan) void client.invalidateQueries({ queryKey: ["read", "/datasets"] });
    return;
  }
  client.removeQueries({ predicate: (query) => query.queryKey[1] !== SESSION_KEY[1] });
}

/** Sets the signed-in user; null: none. */
export function showUser(client: QueryClient, user: SessionUser | null): void {
  forgetFormer(client, user);
  client.setQueryData(SESSION_KEY, user);
}

/** The signed-in user; null: none. Refetched on window focus: another user may have signed in since. */
export function useSessionQuery(): UseQueryResult<SessionUser | null> {
  const api = useConsole();
  const client = useQueryClient();
  return useQuery({
    queryKey: SESSION_KEY,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: "always",
    queryFn: async ({ signal }) => {
      const answer = await api.call<SessionReply>("GET", "/session", undefined, signal);
      if (answer.ok) {
        api.keep(answer.data);
        forgetFormer(client, answer.data.user);
        return answer.data.user;
      }
      if (answer.problem.status === 401) return null;
      throw answer.problem;
    },
  });
}

export function useSignIn(): UseMutationResult<SessionUser, Error, { email: string; password: string }> {
  const api = useConsole();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: { email: string; password: string }) => {
      const reply = await api.send<SessionReply>("POST", "/session", given);
      api.keep(reply);
      return reply.user;
    },
    onSuccess: (user) => showUser(client, user),
  });
}

export function useSignOut(): UseMutationResult<void, Error, void> {
  const api = useConsole();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const answer = await api.call("DELETE", "/session");
      // 401: the session has expired already.
      if (!answer.ok && answer.problem.status !== 401) throw answer.problem;
    },
    onSuccess: () => {
      api.keep(undefined);
      showUser(client, null);
    },
  });
}

export function useChangePassword(): UseMutationResult<
  void,
  Error,
  { current_password: string; new_password: string }
> {
  const api = useConsole();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: { current_password: string; new_password: string }) => {
      await api.send("POST", "/password", given);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}
