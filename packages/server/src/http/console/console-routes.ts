import type { Right } from "../../access/rights.ts";

/**
 * One route of the console. `right` is what the user must have (access/rights.ts); null for who has not signed in yet.
 * `reads`: a JSON body (handed over parsed), nothing, or whatever the handler reads by itself.
 */
export type ConsoleRoute = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below /api/console. */
  readonly path: `/${string}`;
  readonly right: Right | null;
  readonly reads: "json" | "nothing" | "stream";
  /** Changes what keys may do: they are looked up anew at once. No other route, since that also forgets who was known before an outage. */
  readonly changesKeys?: true;
  readonly about: string;
};

/** Every route of the console, by name. A route is added here and then handled by `on("name", …)`. */
export const CONSOLE_ROUTES = {
  "session.start": { method: "POST", path: "/session", right: null, reads: "json", about: "Sign in." },
  "session.read": {
    method: "GET",
    path: "/session",
    right: "session.own",
    reads: "nothing",
    about: "Who is signed in.",
  },
  "session.end": { method: "DELETE", path: "/session", right: "session.own", reads: "nothing", about: "Sign out." },
  "datasets.list": {
    method: "GET",
    path: "/datasets",
    right: "datasets.ask",
    reads: "nothing",
    about: "Every dataset, and whether the account may read it.",
  },
  ask: { method: "POST", path: "/ask", right: "datasets.ask", reads: "stream", about: "Ask a dataset." },
  password: {
    method: "POST",
    path: "/password",
    right: "session.own",
    reads: "json",
    about: "A new password of one's own; one's other sessions end.",
  },
  "keys.list": { method: "GET", path: "/keys", right: "keys.read", reads: "nothing", about: "API keys." },
  "keys.make": {
    method: "POST",
    path: "/keys",
    right: "keys.make",
    reads: "json",
    about: "Make a key; it is shown once.",
  },
  "keys.rotate": {
    method: "POST",
    path: "/keys/:id/rotate",
    right: "keys.change",
    reads: "json",
    changesKeys: true,
    about: "Give a key a successor; both work for a while.",
  },
  "keys.revoke": {
    method: "POST",
    path: "/keys/:id/revoke",
    right: "keys.change",
    reads: "nothing",
    changesKeys: true,
    about: "Revoke a key for good.",
  },
  "keys.rename": {
    method: "POST",
    path: "/keys/:id/name",
    right: "keys.change",
    reads: "json",
    about: "Rename a key.",
  },
  "users.list": { method: "GET", path: "/users", right: "users.read", reads: "nothing", about: "Users." },
  "users.make": {
    method: "POST",
    path: "/users",
    right: "users.change",
    reads: "json",
    about: "Make a user; a first password is shown once.",
  },
  "users.disable": {
    method: "POST",
    path: "/users/:id/disable",
    right: "users.change",
    reads: "nothing",
    about: "Shut a user out.",
  },
  "users.enable": {
    method: "POST",
    path: "/users/:id/enable",
    right: "users.change",
    reads: "nothing",
    about: "Let a user in again.",
  },
  "users.reset": {
    method: "POST",
    path: "/users/:id/password",
    right: "users.change",
    reads: "nothing",
    about: "Give a user a new first password, shown once.",
  },
  "users.set_role": {
    method: "POST",
    path: "/users/:id/role",
    right: "users.change",
    reads: "json",
    about: "Give a user another role.",
  },
  "audit.list": {
    method: "GET",
    path: "/audit",
    right: "audit.read",
    reads: "nothing",
    about: "Who changed what, newest first.",
  },
  "accounts.list": {
    method: "GET",
    path: "/operator/accounts",
    right: "accounts.read",
    reads: "nothing",
    about: "Accounts.",
  },
  "accounts.make": {
    method: "POST",
    path: "/operator/accounts",
    right: "accounts.change",
    reads: "json",
    about: "Make an account and its owner; a first password is shown once.",
  },
  "accounts.set_plan": {
    method: "POST",
    path: "/operator/accounts/:id/plan",
    right: "accounts.change",
    reads: "json",
    changesKeys: true,
    about: "Put an account on a plan.",
  },
  "accounts.disable": {
    method: "POST",
    path: "/operator/accounts/:id/disable",
    right: "accounts.change",
    reads: "nothing",
    changesKeys: true,
    about: "Shut an account: its keys and sessions are refused.",
  },
  "accounts.enable": {
    method: "POST",
    path: "/operator/accounts/:id/enable",
    right: "accounts.change",
    reads: "nothing",
    changesKeys: true,
    about: "Open an account again.",
  },
  "plans.list": { method: "GET", path: "/operator/plans", right: "plans.read", reads: "nothing", about: "Plans." },
  "plans.edit": {
    method: "PUT",
    path: "/operator/plans/:name",
    right: "plans.change",
    reads: "json",
    changesKeys: true,
    about: "Change what a plan allows.",
  },
  "usage.read": {
    method: "GET",
    path: "/usage",
    right: "usage.read",
    reads: "nothing",
    about: "What an account used, by day, key, dataset and status.",
  },
  "usage.csv": {
    method: "GET",
    path: "/usage.csv",
    right: "usage.read",
    reads: "nothing",
    about: "The same lines as CSV.",
  },
  "quota.read": {
    method: "GET",
    path: "/quota",
    right: "usage.read",
    reads: "nothing",
    about: "The plan's limits, and what each key has left of them now.",
  },
  "operator.streams": {
    method: "GET",
    path: "/operator/streams",
    right: "service.read",
    reads: "nothing",
    about: "Each stream, host budget and derivation, as almanac status.",
  },
  "operator.store": {
    method: "GET",
    path: "/operator/store",
    right: "service.read",
    reads: "nothing",
    about: "What tables take, what the engine has left, and when the last backup was made.",
  },
  "operator.parked": {
    method: "GET",
    path: "/operator/parked",
    right: "service.read",
    reads: "nothing",
    about: "Pages of upstreams that could not be read.",
  },
  "operator.usage": {
    method: "GET",
    path: "/operator/usage",
    right: "service.read",
    reads: "nothing",
    about: "Accounts by requests, and the service's days.",
  },
} as const satisfies Record<string, ConsoleRoute>;

export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES;
