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

type Told = readonly [path: ConsoleRoute["path"], right: Right, about: string];

const get = (...[path, right, about]: Told) => ({ method: "GET", path, right, reads: "nothing", about }) as const;
const post = (...[path, right, about]: Told) => ({ method: "POST", path, right, reads: "json", about }) as const;
/** A change of which the path says all. */
const change = (...[path, right, about]: Told) => ({ method: "POST", path, right, reads: "nothing", about }) as const;

/** Every route of the console, by name. A route is added here and then handled by `on("name", …)`. */
export const CONSOLE_ROUTES = {
  "session.start": { method: "POST", path: "/session", right: null, reads: "json", about: "Sign in." },
  "session.read": get("/session", "session.own", "Who is signed in."),
  "session.end": { method: "DELETE", path: "/session", right: "session.own", reads: "nothing", about: "Sign out." },
  "datasets.list": get("/datasets", "datasets.ask", "Every dataset, and whether the account may read it."),
  ask: { method: "POST", path: "/ask", right: "datasets.ask", reads: "stream", about: "Ask a dataset." },
  password: post("/password", "session.own", "A new password of one's own; one's other sessions end."),
  "keys.list": get("/keys", "keys.read", "API keys."),
  "keys.make": post("/keys", "keys.make", "Make a key; it is shown once."),
  "keys.rotate": {
    ...post("/keys/:id/rotate", "keys.change", "Give a key a successor; both work for a while."),
    changesKeys: true,
  },
  "keys.revoke": { ...change("/keys/:id/revoke", "keys.change", "Revoke a key for good."), changesKeys: true },
  "keys.rename": post("/keys/:id/name", "keys.change", "Rename a key."),
  "keys.set_mode": {
    ...post("/keys/:id/mode", "keys.change", "Give a key another mode: strict or compatible."),
    changesKeys: true,
  },
  "keys.set_limit": {
    ...post("/keys/:id/limit", "keys.change", "Give a key a limit of its own within the account's, or none."),
    changesKeys: true,
  },
  "users.list": get("/users", "users.read", "Users."),
  "users.make": post("/users", "users.change", "Make a user; a first password is shown once."),
  "users.disable": change("/users/:id/disable", "users.change", "Shut a user out."),
  "users.enable": change("/users/:id/enable", "users.change", "Let a user in again."),
  "users.reset": change("/users/:id/password", "users.change", "Give a user a new first password, shown once."),
  "users.set_role": post("/users/:id/role", "users.change", "Give a user another role."),
  "audit.list": get("/audit", "audit.read", "Who changed what, newest first."),
  "accounts.list": get("/operator/accounts", "accounts.read", "Accounts."),
  "accounts.make": post(
    "/operator/accounts",
    "accounts.change",
    "Make an account and its owner; a first password is shown once.",
  ),
  "accounts.set_plan": {
    ...post("/operator/accounts/:id/plan", "accounts.change", "Put an account on a plan."),
    changesKeys: true,
  },
  "accounts.disable": {
    ...change(
      "/operator/accounts/:id/disable",
      "accounts.change",
      "Shut an account: its keys and sessions are refused.",
    ),
    changesKeys: true,
  },
  "accounts.enable": {
    ...change("/operator/accounts/:id/enable", "accounts.change", "Open an account again."),
    changesKeys: true,
  },
  "plans.list": get("/operator/plans", "plans.read", "Plans."),
  "plans.edit": {
    ...post("/operator/plans/:name", "plans.change", "Change what a plan allows."),
    method: "PUT",
    changesKeys: true,
  },
  "usage.read": get("/usage", "usage.read", "What an account used, by day, key, dataset and status."),
  "usage.csv": get("/usage.csv", "usage.read", "The same lines as CSV."),
  "quota.read": get(
    "/quota",
    "usage.read",
    "The plan's limits, how many keys and users there are of how many, and what the account and each key have left now.",
  ),
  "operator.streams": get(
    "/operator/streams",
    "service.read",
    "Each stream, host budget and derivation, as almanac status.",
  ),
  "operator.store": get(
    "/operator/store",
    "service.read",
    "What tables take, what the engine has left, and when the last backup was made.",
  ),
  "operator.parked": get("/operator/parked", "service.read", "Pages of upstreams that could not be read."),
  "operator.usage": get("/operator/usage", "service.read", "Accounts by requests, and the service's days."),
} as const satisfies Record<string, ConsoleRoute>;

export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES;
