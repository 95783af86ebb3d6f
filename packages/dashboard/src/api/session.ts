import {
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";

export type Role = "member" | "owner" | "operator";

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly must_change_password?: boolean;
  readonly account: { readonly id: string; readonly name: string; readonly plan: string };
}

interface SessionReply {
  readonly user: SessionUser;
  readonly csrf_token: string;
}

export const SESSION_KEY = ["session"] as const;

/** What one user has read is not shown to the next. */
function forgetOthers(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}

/** Who is signed in; null: nobody. */
export function useSessionQuery(): UseQueryResult<SessionUser | null> {
  const api = useConsole();
  return useQuery({
    queryKey: SESSION_KEY,
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => {
      const answer = await api.call<SessionReply>("GET", "/session", undefined, signal);
      if (answer.ok) {
        api.keepToken(answer.data.csrf_token);
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
      api.keepToken(reply.csrf_token);
      return reply.user;
    },
    onSuccess: (user) => {
      client.setQueryData(SESSION_KEY, user);
      forgetOthers(client);
    },
  });
}

export function useSignOut(): UseMutationResult<void, Error, void> {
  const api = useConsole();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const answer = await api.call("DELETE", "/session");
      // 401: it has ended by itself.
      if (!answer.ok && answer.problem.status !== 401) throw answer.problem;
    },
    onSuccess: () => {
      api.keepToken(undefined);
      client.setQueryData(SESSION_KEY, null);
      forgetOthers(client);
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
