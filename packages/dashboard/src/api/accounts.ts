import type { AccountPage, ListedAccount } from "../../../server/src/access/accounts.ts";
import type { AccountUsage } from "../../../server/src/access/read-accounts-usage.ts";
import { type AsJson, useChange, usePages, useRead, useWhole } from "./console-queries.ts";
import type { InfiniteData, UseInfiniteQueryResult, UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import type { User } from "./users.ts";
import type { ListedPlan } from "../../../server/src/access/plans.ts";

export type Account = AsJson<ListedAccount>;

export interface MadeAccount {
  readonly account: Account;
  readonly user: User;
  readonly password: string;
}

type AccountsPage = AsJson<AccountPage>;

const PATH = "/operator/accounts";

/** Accounts, oldest first, a page at a time. */
export const useAccounts = (): UseInfiniteQueryResult<InfiniteData<AccountsPage>> =>
  usePages<AccountsPage>(PATH, {}, "after", ({ accounts }) => accounts.at(-1)?.id);

/** All accounts, for a selection list. */
export const useAllAccounts = (isOn = true): UseQueryResult<readonly Account[]> =>
  useWhole(PATH, {}, ({ accounts }: AccountsPage) => accounts, isOn);

const TOUCHED = [PATH, "/users", "/keys", "/quota"];

export const useCreateAccount = (): UseMutationResult<
  MadeAccount,
  Error,
  { name: string; email: string; plan: string }
> => useChange(TOUCHED, (body) => ({ path: PATH, body }));

export const useSetPlan = (): UseMutationResult<unknown, Error, { id: string; plan: string }> =>
  // It may be the own account's plan.
  useChange([...TOUCHED, "/session", "/datasets"], ({ id, ...body }) => ({
    path: `${PATH}/${encodeURIComponent(id)}/plan`,
    body,
  }));

export const useSwitchAccount = (): UseMutationResult<unknown, Error, { id: string; isOn: boolean }> =>
  useChange(TOUCHED, ({ id, isOn }) => ({
    path: `${PATH}/${encodeURIComponent(id)}/${isOn ? "enable" : "disable"}`,
  }));

/** Usage by account; accounts without any request may be missing. */
export const useAccountsUsage = (): UseQueryResult<{ readonly accounts: readonly AccountUsage[] }> =>
  useRead("/operator/usage");

/** "all", or agent ids and names of plans whose datasets it includes. */
export type PlanDatasets = "all" | readonly (number | string)[];

export type Plan = AsJson<Omit<ListedPlan, "accounts">>;

export type PlanEdit = Omit<Plan, "rank">;

export const usePlans = (isOn = true): UseQueryResult<{ readonly plans: readonly Plan[] }> =>
  useRead("/operator/plans", { isOn });

export const useEditPlan = (): UseMutationResult<unknown, Error, PlanEdit> =>
  useChange(["/operator/plans", "/quota", "/datasets"], ({ name, ...body }) => ({
    method: "PUT",
    path: `/operator/plans/${encodeURIComponent(name)}`,
    body,
  }));
