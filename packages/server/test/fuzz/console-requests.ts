import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from "../../src/http/console/console-routes.ts";
import { encoded } from "./document-requests.ts";
import type { FuzzRequest, FuzzSession, FuzzWorld } from "./fuzz-request.ts";
import { HOSTILE_VALUES } from "./hostile-values.ts";
import type { Random } from "./random.ts";

type Fields = Readonly<Record<string, readonly unknown[]>>;
type Bodies = {
  [K in ConsoleRouteName as (typeof CONSOLE_ROUTES)[K]["reads"] extends "json" ? K : never]: (
    session: FuzzSession,
    world: FuzzWorld,
    random: Random,
  ) => Fields;
};

const PLANS = ["free", "pro", "enterprise", "none"];
const ROLES = ["member", "owner", "operator"];
const MODES = ["strict", "compatible"];
const PACES = { requests_per_minute: [60, null], burst: [60, null] };
const address = (random: Random): string => `made-${random.below(1e9)}@example.org`;

/** Values for each field of a route's body. A new route without them does not compile. */
const BODIES: Bodies = {
  "session.start": ({ email, mayEnd }, { password }) => ({
    email: [mayEnd ? email : "nobody@example.org"],
    password: [password, "not the right one"],
  }),
  password: ({ mayEnd }, { password }) => ({
    current_password: [mayEnd ? password : "not the right one"],
    new_password: ["quite another password"],
  }),
  "keys.make": ({ ids }) => ({
    name: ["k"],
    expires_at: [null, "2027-01-31"],
    datasets: [null, [574], [1]],
    mode: MODES,
    account: ids,
    ...PACES,
  }),
  "keys.rotate": () => ({ overlap_seconds: [0, 60] }),
  "keys.rename": () => ({ name: ["renamed"] }),
  "keys.set_mode": () => ({ mode: MODES }),
  "keys.set_limit": () => PACES,
  "users.make": ({ ids }, _world, random) => ({ email: [address(random)], name: ["N"], role: ROLES, account: ids }),
  "users.set_role": () => ({ role: ROLES }),
  "accounts.make": (_session, _world, random) => ({ name: ["N"], email: [address(random)], plan: PLANS }),
  "accounts.set_plan": () => ({ plan: PLANS }),
  "plans.edit": () => ({
    requests_per_minute: [60],
    burst: [60],
    max_page: [100],
    max_list: [50],
    keys: [5],
    users: [3],
    at_once: [4],
    key_at_once: [4],
    datasets: ["all", [574], ["free"]],
  }),
};

const QUESTIONS: readonly (readonly [string, readonly string[]])[] = [
  ["after", ["key_00000000000000000000000000"]],
  ["before", ["1", "100"]],
  ["limit", ["1", "200"]],
  ["from", ["2026-01-01"]],
  ["to", ["2026-12-31"]],
  ["agent_id", ["574", "0"]],
  ["status", ["200", "4xx"]],
  ["by", ["day", "key,status", ""]],
  ["stream", ["kalshi-trades"]],
  ["state", ["waiting", "read"]],
];
const ODD = [null, true, 1.5, -1, 1e308, [], ["a"], {}, { a: { b: [] } }];
const NAMES = Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[];

/**
 * Any route of the console, with a valid or nearly valid session, and a body and query string that are nearly valid.
 */
export function consoleRequest(world: FuzzWorld, random: Random): FuzzRequest {
  const name = random.pick(NAMES);
  const route: ConsoleRoute = CONSOLE_ROUTES[name];
  const session = random.pick(world.sessions);
  const id = random.chance(0.7) ? random.pick(session.ids) : encoded(random);
  const isGet = route.method === "GET";
  const path = `/api/console${route.path.replace(/:\w+/, name === "plans.edit" ? random.pick(["free", id]) : id)}`;
  const body = route.reads === "nothing" ? undefined : bodyOf(name, session, world, random);
  return {
    kind: `console ${name}`,
    target: "console",
    method: route.method,
    path: isGet && random.chance(0.6) ? `${path}?${questionOf(session, random)}` : path,
    headers: headersOf(name, session, random, body !== undefined),
    body,
    foreign: session.foreign,
  };
}

function bodyOf(name: ConsoleRouteName, session: FuzzSession, world: FuzzWorld, random: Random): string {
  if (random.chance(0.05)) return random.pick(["", "null", "[]", "{", '{"a":1,"a":2}', "[".repeat(5000), "\u0000"]);
  if (name === "ask") {
    const { agentId, params } = random.pick(world.datasets);
    const requested = params.map((param) => [
      param.name,
      random.chance(0.8) ? param.sample : random.pick(HOSTILE_VALUES),
    ]);
    return JSON.stringify({
      agent_id: agentId,
      params: Object.fromEntries(requested.filter(() => random.chance(0.5))),
    });
  }
  const fields = BODIES[name as keyof Bodies](session, world, random);
  const filled = Object.entries(fields).flatMap(([field, samples]) => {
    if (random.chance(0.1)) return [];
    return [[field, random.chance(0.85) ? random.pick(samples) : random.pick<unknown>([...HOSTILE_VALUES, ...ODD])]];
  });
  if (random.chance(0.05)) filled.push([random.pick(["__proto__", "password_hash", "id", random.text(5)]), "x"]);
  return JSON.stringify(Object.fromEntries(filled));
}

function questionOf({ ids }: FuzzSession, random: Random): string {
  const one = (): string => {
    const [name, samples] = random.pick([...QUESTIONS, ["account", ids] as const]);
    return `${name}=${random.chance(0.6) ? random.pick(samples) : encoded(random)}`;
  };
  return Array.from({ length: 1 + random.below(2) }, one).join("&");
}

function headersOf(
  name: ConsoleRouteName,
  session: FuzzSession,
  random: Random,
  hasBody: boolean,
): Record<string, string> {
  const isKept = session.mayEnd || (name !== "session.start" && name !== "session.end");
  const cookie =
    isKept && random.chance(0.92) ? session.cookie : random.pick(["", "A".repeat(43), random.text(43), "%00"]);
  const csrf = random.chance(0.92) ? session.csrf : random.pick(["", "x", random.text(43)]);
  return {
    cookie: `almanac_session=${cookie}`,
    "x-csrf-token": csrf,
    ...(hasBody && random.chance(0.98) ? { "content-type": "application/json" } : {}),
    ...(random.chance(0.03)
      ? { origin: random.pick(["https://evil.example", "null", "http://[", "http://127.0.0.1:1"]) }
      : {}),
    ...(random.chance(0.02) ? { "sec-fetch-site": random.pick(["cross-site", "same-site", "x"]) } : {}),
  };
}
