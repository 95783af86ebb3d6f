import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import type { Role } from "./session-user.ts";
import { useChange } from "./use-change.ts";
import { useRead } from "./use-read.ts";

export interface User {
  readonly id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly must_change_password: boolean;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly last_sign_in_at: string | null;
}

/** `password` is a first one, given this once; it must be changed at the first sign-in. */
export interface MadeUser {
  readonly user: User;
  readonly password: string;
}

export interface WantedUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** For operators: whose user it is. */
  readonly account?: string;
}

export const useUsers = (): UseQueryResult<{ readonly users: readonly User[] }> => useRead("/users");

const TOUCHED = ["/users"];

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
