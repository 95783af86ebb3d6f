import type { ListedUser, UserPage } from "../../../server/src/access/users.ts";
import { type AsJson, useChange, usePages } from "./console-queries.ts";
import type { InfiniteData, UseInfiniteQueryResult, UseMutationResult } from "@tanstack/react-query";
import type { Role } from "./session-user.ts";

export type User = AsJson<ListedUser>;

/** `password` is an initial one, returned only this once; it must be changed at the first sign-in. */
export interface MadeUser {
  readonly user: User;
  readonly password: string;
}

export interface WantedUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** For operators: the user's account. */
  readonly account?: string;
}

type UsersPage = AsJson<UserPage>;

/** The users that the signed-in user may see, oldest first, a page at a time. */
export const useUsers = (): UseInfiniteQueryResult<InfiniteData<UsersPage>> =>
  usePages<UsersPage>("/users", {}, "after", ({ users }) => users.at(-1)?.id);

const TOUCHED = ["/users", "/quota"];

export const useCreateUser = (): UseMutationResult<MadeUser, Error, WantedUser> =>
  useChange(TOUCHED, (body) => ({ path: "/users", body }));

export const useSwitchUser = (): UseMutationResult<unknown, Error, { id: string; isOn: boolean }> =>
  useChange(TOUCHED, ({ id, isOn }) => ({
    path: `/users/${encodeURIComponent(id)}/${isOn ? "enable" : "disable"}`,
  }));

export const useResetPassword = (): UseMutationResult<MadeUser, Error, { id: string }> =>
  useChange(TOUCHED, ({ id }) => ({ path: `/users/${encodeURIComponent(id)}/password` }));

export const useSetRole = (): UseMutationResult<unknown, Error, { id: string; role: Role }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/users/${encodeURIComponent(id)}/role`, body }));
