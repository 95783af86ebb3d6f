import {
  useMutation,
  useQuery,
  useQueryClient,
  type Query,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { useConsole } from "./console.ts";
import type { SessionReply, SessionUser } from "./session-user.ts";

export const SESSION_KEY = ["read", "/session"] as const;

/** The user whose data is cached, also after the session has ended. */
const lastUsers = new WeakMap<QueryClient, SessionUser>();

const isOther = ({ queryKey }: Query): boolean => queryKey[1] !== SESSION_KEY[1];

/** Drops cached data when the user changes: one user's data must not be shown to the next. */
function forgetFormer(client: QueryClient, next: SessionUser): void {
  const former = lastUsers.get(client);
  lastUsers.set(client, next);
  if (former?.id !== next.id) client.removeQueries({ predicate: isOther });
  // Which datasets may be read, and how much of them, depends on the plan.
  else if (former.account.plan !== next.account.plan) void client.invalidateQueries({ predicate: isOther });
}

/** Sets the signed-in user; null: the session has ended, and the cached data waits for the user to sign in again. */
export function showUser(client: QueryClient, user: SessionUser | null): void {
  if (user !== null) forgetFormer(client, user);
  // A read that is in flight would replace the user by what it finds of a former session.
  void client.cancelQueries({ queryKey: SESSION_KEY });
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
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const answer = await api.call("DELETE", "/session");
      // 401: the session has expired already.
      if (!answer.ok && answer.problem.status !== 401) throw answer.problem;
    },
    onSuccess: () => {
      api.keep(undefined);
      client.removeQueries({ predicate: isOther });
      showUser(client, null);
      // Nothing of the page is kept: it is not for who signs in next.
      void navigate("/sign-in");
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
