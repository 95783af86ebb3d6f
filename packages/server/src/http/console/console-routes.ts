import { type Right, reachOf } from "../../access/rights.ts";
import { AccessError } from "../../access/access-error.ts";
import type { SessionUser } from "../../access/sessions.ts";

/**
 * One route of the console. `right` is the user's required right (access/rights.ts); null if no sign-in is needed.
 * `reads`: a JSON body (passed parsed), nothing, or whatever the handler reads itself.
 */
export type ConsoleRoute = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below /api/console. */
  readonly path: `/${string}`;
  readonly right: Right | null;
  readonly reads: "json" | "nothing" | "stream";
  /** The handler checks the query string; a GET of another route refuses any. */
  readonly takesQuery?: true;
  /**
   * The route changes what keys may do, so cached keys are dropped at once. Not set elsewhere, since that also drops
   * the keys known before an outage.
   */
  readonly changesKeys?: true;
};

type Reported = readonly [path: ConsoleRoute["path"], right: Right];

const get = (...[path, right]: Reported) => ({ method: "GET", path, right, reads: "nothing" }) as const;
const list = (...[path, right]: Reported) => ({ ...get(path, right), takesQuery: true }) as const;
const post = (...[path, right]: Reported) => ({ method: "POST", path, right, reads: "json" }) as const;
/** A change fully described by its path. */
const change = (...[path, right]: Reported) => ({ method: "POST", path, right, reads: "nothing" }) as const;

/**
 * Every route of the console, by name; docs/access.md describes each. Add a route here, then handle it with `on("name",
 * …)`.
 */
export const CONSOLE_ROUTES = {
  "session.start": { method: "POST", path: "/session", right: null, reads: "json" },
  "session.read": get("/session", "session.own"),
  "session.end": { method: "DELETE", path: "/session", right: "session.own", reads: "nothing" },
  "datasets.list": get("/datasets", "datasets.ask"),
  ask: { method: "POST", path: "/ask", right: "datasets.ask", reads: "stream" },
  password: post("/password", "session.own"),
  "keys.list": list("/keys", "keys.read"),
  "keys.make": post("/keys", "keys.make"),
  "keys.rotate": { ...post("/keys/:id/rotate", "keys.change"), changesKeys: true },
  "keys.revoke": { ...change("/keys/:id/revoke", "keys.change"), changesKeys: true },
  "keys.rename": post("/keys/:id/name", "keys.change"),
  "keys.set_mode": { ...post("/keys/:id/mode", "keys.change"), changesKeys: true },
  "keys.set_limit": { ...post("/keys/:id/limit", "keys.change"), changesKeys: true },
  "users.list": list("/users", "users.read"),
  "users.make": post("/users", "users.change"),
  "users.disable": change("/users/:id/disable", "users.change"),
  "users.enable": change("/users/:id/enable", "users.change"),
  "users.reset": change("/users/:id/password", "users.change"),
  "users.set_role": post("/users/:id/role", "users.change"),
  "audit.list": list("/audit", "audit.read"),
  "accounts.list": list("/operator/accounts", "accounts.read"),
  "accounts.make": post("/operator/accounts", "accounts.change"),
  "accounts.set_plan": { ...post("/operator/accounts/:id/plan", "accounts.change"), changesKeys: true },
  "accounts.disable": { ...change("/operator/accounts/:id/disable", "accounts.change"), changesKeys: true },
  "accounts.enable": { ...change("/operator/accounts/:id/enable", "accounts.change"), changesKeys: true },
  "plans.list": get("/operator/plans", "plans.read"),
  "plans.edit": { ...post("/operator/plans/:name", "plans.change"), method: "PUT", changesKeys: true },
  "usage.read": list("/usage", "usage.read"),
  "usage.csv": list("/usage.csv", "usage.read"),
  "quota.read": get("/quota", "usage.read"),
  "operator.streams": get("/operator/streams", "service.read"),
  "operator.store": get("/operator/store", "service.read"),
  "operator.parked": list("/operator/parked", "service.read"),
  "operator.usage": get("/operator/usage", "service.read"),
} as const satisfies Record<string, ConsoleRoute>;

export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES;

/**
 * The account a list is for: users with access to all may name one (id or address) or none, for all of them; others get
 * their own. Throws not found for another account.
 */
export function accountRequested(user: SessionUser, right: Right, named: string | undefined): string | undefined {
  if (reachOf(user.role, right) === "all") return named;
  if (named === undefined || named === user.account.id) return user.account.id;
  throw new AccessError("not_found", `no account has the id or address ${named}`);
}
