import type { Role } from "../api/session-user.ts";
import type { ComponentType } from "react";
import type { IconName } from "../ui/icon.tsx";

const ALL: readonly Role[] = ["member", "owner", "operator"];
const OWNERS: readonly Role[] = ["owner", "operator"];
const OPERATORS: readonly Role[] = ["operator"];

/** All pages. Add one with a single entry; its code is loaded when it is opened. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: "/sign-in",
    title: "Sign in",
    load: () => import("../pages/sign-in/page.tsx"),
    roles: "anyone",
  },
  {
    path: "/",
    title: "Overview",
    load: () => import("../pages/overview/page.tsx"),
    roles: ALL,
    nav: { group: "data", icon: "sun", isMain: true },
  },
  {
    path: "/explore",
    title: "Explore",
    load: () => import("../pages/explore/page.tsx"),
    roles: ALL,
    nav: { group: "data", icon: "compass", isMain: true },
  },
  {
    path: "/explore/:name",
    title: "Explore",
    load: () => import("../pages/explore/dataset-page.tsx"),
    roles: ALL,
  },
  {
    path: "/search",
    title: "Markets",
    load: () => import("../pages/search/page.tsx"),
    roles: ALL,
    nav: { group: "data", icon: "line" },
  },
  {
    path: "/leaderboards",
    title: "Leaderboards",
    load: () => import("../pages/leaderboards/page.tsx"),
    roles: ALL,
    nav: { group: "data", icon: "trophy" },
  },
  { path: "/markets/:venue/:id", title: "Market", load: () => import("../pages/market/page.tsx"), roles: ALL },
  { path: "/books/:venue/:id", title: "Order book", load: () => import("../pages/book/page.tsx"), roles: ALL },
  { path: "/wallets/:address", title: "Wallet", load: () => import("../pages/wallet/page.tsx"), roles: ALL },
  {
    path: "/keys",
    title: "Keys",
    load: () => import("../pages/keys/page.tsx"),
    roles: ALL,
    nav: { group: "account", icon: "key", isMain: true },
  },
  {
    path: "/usage",
    title: "Usage",
    load: () => import("../pages/usage/page.tsx"),
    roles: ALL,
    nav: { group: "account", icon: "chart", isMain: true },
  },
  {
    path: "/users",
    title: "Users",
    load: () => import("../pages/users/page.tsx"),
    roles: OWNERS,
    nav: { group: "account", icon: "people" },
  },
  {
    path: "/audit",
    title: "Audit",
    load: () => import("../pages/audit/page.tsx"),
    roles: OWNERS,
    nav: { group: "account", icon: "scroll" },
  },
  { path: "/password", title: "Change password", load: () => import("../pages/password/page.tsx"), roles: ALL },
  {
    path: "/operator/streams",
    title: "Streams",
    load: () => import("../pages/operator-streams/page.tsx"),
    roles: OPERATORS,
    nav: { group: "operator", icon: "stream" },
  },
  {
    path: "/operator/store",
    title: "Store",
    load: () => import("../pages/operator-store/page.tsx"),
    roles: OPERATORS,
    nav: { group: "operator", icon: "store" },
  },
  {
    path: "/operator/parked",
    title: "Parked pages",
    load: () => import("../pages/operator-parked/page.tsx"),
    roles: OPERATORS,
    nav: { group: "operator", icon: "parked" },
  },
  {
    path: "/operator/accounts",
    title: "Accounts",
    load: () => import("../pages/operator-accounts/page.tsx"),
    roles: OPERATORS,
    nav: { group: "operator", icon: "building" },
  },
  {
    path: "/operator/plans",
    title: "Plans",
    load: () => import("../pages/operator-plans/page.tsx"),
    roles: OPERATORS,
    nav: { group: "operator", icon: "plan" },
  },
];

export type NavGroup = "data" | "account" | "operator";

export interface PageRoute {
  /** Absolute path in react-router syntax. */
  readonly path: string;
  readonly title: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Roles that may see it; "anyone": without signing in. */
  readonly roles: readonly Role[] | "anyone";
  /** Place in the navigation; absent: reached from other pages only. `isMain`: in the phone's bottom bar. */
  readonly nav?: {
    readonly group: NavGroup;
    readonly icon: IconName;
    readonly isMain?: boolean;
  };
}

export function maySee(route: Pick<PageRoute, "roles">, role: Role): boolean {
  return route.roles === "anyone" || route.roles.includes(role);
}
