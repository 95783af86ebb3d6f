import type { InfiniteData, UseInfiniteQueryResult, UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { useChange } from "./use-change.ts";
import { usePages } from "./use-pages.ts";
import { useRead } from "./use-read.ts";
import { useWhole } from "./use-whole.ts";
import type { User } from "./users.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly plan: string;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly keys: number;
  readonly users: number;
}

export interface MadeAccount {
  readonly account: Account;
  readonly user: User;
  readonly password: string;
}

interface AccountsPage {
  readonly accounts: readonly Account[];
  readonly has_more: boolean;
}

const PATH = "/operator/accounts";

/** Accounts, oldest first, a page at a time. */
export const useAccounts = (): UseInfiniteQueryResult<InfiniteData<AccountsPage>> =>
  usePages<AccountsPage>(PATH, {}, "after", ({ accounts }) => accounts.at(-1)?.id);

/** Every account, to choose from. */
export const useAllAccounts = (isOn = true): UseQueryResult<readonly Account[]> =>
  useWhole(PATH, {}, ({ accounts }: AccountsPage) => accounts, isOn);

const TOUCHED = [PATH, "/users", "/keys", "/quota"];

export const useCreateAccount = (): UseMutationResult<
  MadeAccount,
  Error,
  { name: string; email: string; plan: string }
> => useChange(TOUCHED, (body) => ({ path: PATH, body }));

export const useSetPlan = (): UseMutationResult<unknown, Error, { id: string; plan: string }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `${PATH}/${encodeURIComponent(id)}/plan`, body }));

export const useSwitchAccount = (): UseMutationResult<unknown, Error, { id: string; isOn: boolean }> =>
  useChange(TOUCHED, ({ id, isOn }) => ({
    path: `${PATH}/${encodeURIComponent(id)}/${isOn ? "enable" : "disable"}`,
  }));

interface AccountUsage {
  readonly account_id: string;
  readonly requests_today: number;
  readonly requests_30d: number;
  readonly refused_30d: number;
  readonly failed_30d: number;
}

/** Who asks how much; accounts that never asked may be missing. */
export const useAccountsUsage = (): UseQueryResult<{ readonly accounts: readonly AccountUsage[] }> =>
  useRead("/operator/usage");
