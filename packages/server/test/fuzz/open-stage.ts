import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { openConsole } from "../../src/access/console.ts";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey } from "../../src/access/keys.ts";
import { digestOf } from "../../src/access/find.ts";
import { memoryLimiter } from "../../src/access/limiter.ts";
import { openPasswords } from "../../src/access/passwords.ts";
import { csrfTokenOf, sessionDigest } from "../../src/access/sessions.ts";
import { createUser } from "../../src/access/users.ts";
import { connectors, tables } from "../../src/catalogue.ts";
import { createMetricsServer } from "../../src/http/create-server.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import { toPageFile } from "../../src/http/pages/page-file.ts";
import { operatorData } from "../../src/main/operator-data.ts";
import type { KeyMode } from "../../src/definition/vocabulary.ts";
import type { UserRole } from "../../src/records/schema.ts";
import { createBrowser } from "../console/browser.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openService, type Service, type ServiceParts } from "../promises/service.ts";
import { storeChecksum } from "../promises/store-checksum.ts";
import type { FuzzCaller, FuzzSession } from "./fuzz-request.ts";

const PASSWORD = "a canary that sings 4711 times";
const UNBOUNDED = 1_000_000_000;

export type Stage = {
  readonly service: Service;
  readonly metricsUrl: string;
  readonly callers: readonly FuzzCaller[];
  readonly sessions: readonly FuzzSession[];
  readonly password: string;
  /** Texts that no answer may contain. */
  readonly canaries: readonly string[];
  /** Checksums, by name, of data that no request may change. */
  readonly checksum: () => Promise<Readonly<Record<string, string>>>;
  readonly close: () => Promise<void>;
};

/**
 * The complete service on real stores: indexes, console, operator's pages and metrics. It has two accounts with
 * sessions and keys of both modes, an operator, an account that the operator may change, and one that must stay
 * unchanged.
 */
export async function openStage(): Promise<Stage> {
  const registry = new Registry();
  let query: Awaited<ReturnType<typeof openServedQuery>> | undefined;
  const prepare = async ({ store, records, admin }: ServiceParts) => {
    // With a fixed time and a store that nothing writes to, a repeated request is answered from memory.
    const opened = admin.clock();
    query = await openServedQuery(store, () => opened, { isAlone: true });
    const console = openConsole({
      records,
      clock: admin.clock,
      bounds: { idleMs: UNBOUNDED, maxMs: UNBOUNDED },
      throttle: { perAddress: UNBOUNDED, perEmail: UNBOUNDED, seconds: 900 },
      limiter: (options) => memoryLimiter({ ...options, points: UNBOUNDED }),
    });
    const now = admin.clock;
    const index = toPageFile("/index.html", Buffer.from("<!doctype html><html><p>dashboard</html>"));
    return {
      ask: query.ask,
      console,
      operator: operatorData({ connectors, tables, store, records, now, venueNow: now }),
      metrics: createHttpMetrics(registry),
      pages: index === undefined ? [] : [index],
      // All requests come from one address, and one in thirteen is refused: delayed by a second, these slowed all
      // others.
      bounds: { maxRefusalsOfOne: UNBOUNDED },
    };
  };
  const service = await openService({ prepare });
  const metrics = createMetricsServer(registry);
  await metrics.listen({ host: "127.0.0.1", port: 0 });
  const { port } = metrics.server.address() as AddressInfo;
  const people = await peopleOf(service);
  return {
    service,
    metricsUrl: `http://127.0.0.1:${port}`,
    ...people,
    password: PASSWORD,
    canaries: [...people.canaries, PASSWORD, service.folder],
    checksum: async () => ({ ...(await storeChecksum(service.store)), ...(await rowsOf(service, people.still)) }),
    close: async () => {
      await metrics.close();
      await query?.close();
      await service.close();
    },
  };
}

type Household = {
  readonly account: string;
  readonly users: readonly string[];
  /** Ids of records that may be changed. */
  readonly ids: readonly string[];
  /** Texts that no other account may see. */
  readonly own: readonly string[];
  readonly emails: Readonly<Record<string, string>>;
  readonly keys: readonly (readonly [string, KeyMode])[];
};

async function peopleOf(service: Service) {
  const stored = await openPasswords().hash(PASSWORD);
  const household = (name: string, roles: Readonly<Record<string, UserRole>>) => settle(service, name, roles, stored);
  const first = await household("canary-first", { owner: "owner", member: "member", leaver: "owner" });
  const second = await household("canary-second", { owner: "owner", member: "member" });
  const operators = await household("canary-operators", { operator: "operator" });
  const moved = await household("canary-moved", { owner: "owner" });
  const still = await household("canary-still", { owner: "owner", member: "member" });
  const all = [first, second, operators, moved, still];
  const foreignTo = (home: Household): string[] => all.flatMap((one) => (one === home ? [] : one.own));
  const strangers = all.flatMap(({ ids }) => ids);
  const callers = [first, second].flatMap((home) =>
    home.keys.flatMap(([key, mode]) => {
      const caller = { key, isStrict: mode === "strict", foreign: foreignTo(home) };
      // A compatible key's mistakes are accepted and reach the engine, so only one of six requests uses one.
      return Array.from({ length: caller.isStrict ? 5 : 1 }, () => caller);
    }),
  );
  const sessions: FuzzSession[] = [];
  for (const home of [first, second, operators]) {
    for (const [who, email] of Object.entries(home.emails)) {
      const browser = createBrowser(service.url);
      await browser.signIn(email, PASSWORD);
      const cookie = browser.cookie() ?? "";
      const isOperator = home === operators;
      const ids = isOperator ? [...moved.ids, ...home.ids] : strangers;
      const foreign = isOperator ? [] : foreignTo(home);
      sessions.push({ email, cookie, csrf: csrfTokenOf(cookie), foreign, mayEnd: who === "leaver", ids });
    }
  }
  const digests = [
    ...all.flatMap(({ keys }) => keys.map(([key]) => digestOf(key))),
    ...sessions.map(({ cookie }) => sessionDigest(cookie)),
  ];
  const canaries = [
    stored,
    ...all.flatMap(({ keys }) => keys.map(([key]) => key.slice("alm_live_".length + 6))),
    ...sessions.map(({ cookie }) => cookie),
    ...digests.flatMap((digest) => [digest.toString("hex"), digest.toString("base64").replaceAll("=", "")]),
  ];
  return { callers, sessions, canaries, still: still.account };
}

/** Creates an account with users and keys, plus a user and a key that may be changed. */
async function settle(
  service: Service,
  name: string,
  roles: Readonly<Record<string, UserRole>>,
  stored: string,
): Promise<Household> {
  const { admin } = service;
  const hash = async (): Promise<string> => stored;
  const person = (who: string) => ({ name: `${name} ${who}`, email: `${name}-${who}@example.org`, password: PASSWORD });
  const { account, user } = await createAccount(admin, { ...person("account"), plan: "enterprise" }, hash);
  const emails: Record<string, string> = {};
  const users = [user.id];
  for (const [who, role] of Object.entries({ ...roles, spare: "member" as const })) {
    const made = await createUser(admin, { account: account.id, ...person(who), role }, hash);
    users.push(made.user.id);
    if (who !== "spare") emails[who] = made.user.email;
  }
  const key = async (mode: KeyMode) => await createKey(admin, { account: account.id, name: `${name} ${mode}`, mode });
  const [strict, compatible, spare] = [await key("strict"), await key("compatible"), await key("strict")];
  const keys = [strict, compatible, spare];
  return {
    account: account.id,
    users,
    ids: [account.id, spare.summary.id, users.at(-1) ?? ""],
    own: [name, account.id, ...users, ...keys.flatMap(({ summary }) => [summary.id, summary.prefix])],
    emails,
    keys: [
      [strict.key, "strict"],
      [compatible.key, "compatible"],
    ],
  };
}

/** The rows of an account, as text. */
async function rowsOf({ records: { db } }: Service, account: string): Promise<Record<string, string>> {
  const rows = {
    account: await db.selectFrom("accounts").selectAll().where("id", "=", account).execute(),
    users: await db.selectFrom("users").selectAll().where("account_id", "=", account).orderBy("id").execute(),
    keys: await db.selectFrom("api_keys").selectAll().where("account_id", "=", account).orderBy("id").execute(),
  };
  return Object.fromEntries(Object.entries(rows).map(([name, found]) => [`${name} of nobody`, JSON.stringify(found)]));
}
