import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { hash, verify } from "@node-rs/argon2";
import { pino, type Logger } from "pino";
import { Registry } from "prom-client";
import { openAccess, type Access } from "../../src/access/access.ts";
import { openConsole, type Console, type ConsoleOptions } from "../../src/access/console.ts";
import { createAccount } from "../../src/access/accounts.ts";
import { createUser } from "../../src/access/users.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { connectors, tables } from "../../src/catalogue.ts";
import { openPasswords } from "../../src/access/passwords.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { createServer } from "../../src/http/create-server.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import type { ServerOptions } from "../../src/http/server-options.ts";
import { operatorData } from "../../src/main/operator-data.ts";
import type { Records } from "../../src/records/records.ts";
import type { UserRole } from "../../src/records/schema.ts";
import type { Store } from "../../src/store/store.ts";
import { answerOf, things } from "../http/api.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";
import { createBrowser, type Browser } from "./browser.ts";

export const PASSWORD = "correct horse battery staple";

export type ConsoleHost = {
  readonly url: string;
  readonly endpoint: string;
  readonly records: Records;
  readonly access: Access;
  readonly console: Console;
  readonly admin: AdminContext;
  /** Log lines. */
  readonly lines: string[];
  /** Advances the clock. */
  readonly pass: (ms: number) => void;
  readonly now: () => number;
  /** Argon2 verifications so far. */
  readonly verified: () => number;
  readonly makeAccount: (name: string, plan?: string) => Promise<string>;
  /** Creates a user of an account (given by its id) with PASSWORD. */
  readonly makeUser: (account: string, role: UserRole) => Promise<{ readonly id: string; readonly email: string }>;
  /** Opens a browser with a signed-in session. */
  readonly signedIn: (email: string, password?: string) => Promise<Browser>;
  readonly browser: () => Browser;
  readonly close: () => Promise<void>;
};

export type HostOptions = Partial<Pick<ConsoleOptions, "bounds" | "throttle">> & {
  readonly server?: Partial<ServerOptions>;
  /** Engine for the operator's store page; an empty one if absent. */
  readonly store?: Pick<Store, "rows">;
  /** Records of another host, which outlives this one; its own if absent. */
  readonly records?: Records;
};

const NO_STORE: Pick<Store, "rows"> = { rows: async () => [] };

/** Serves the console's HTTP API on real records, with a hand-written ask. */
export async function openConsoleHost(options: HostOptions = {}): Promise<ConsoleHost> {
  const { records, closeRecords } = await recordsOf(options);
  let ahead = 0;
  let verifications = 0;
  const clock = (): number => Date.now() + ahead;
  const { log, lines } = openLog();
  const access = openAccess({ records, clock, log });
  const counting: typeof verify = async (...given) => {
    verifications += 1;
    return await verify(...given);
  };
  const console = openConsole({
    records,
    clock,
    bounds: options.bounds ?? { idleMs: 3_600_000, maxMs: 86_400_000 },
    throttle: options.throttle ?? { perAddress: 100_000, perEmail: 100_000, seconds: 900 },
    passwords: openPasswords({ atOnce: 2, waiting: 64 }, { hash, verify: counting }),
  });
  const app = createServer(serverOptions({ ...options, records }, { access, console, log, clock }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const admin: AdminContext = { db: records.db, clock, actor: "test" };
  return {
    url,
    endpoint: url + ENDPOINT,
    records,
    access,
    console,
    admin,
    lines,
    pass: (ms) => {
      ahead += ms;
    },
    now: clock,
    verified: () => verifications,
    ...makers(admin, url),
    close: async () => {
      await app.close();
      await access.close();
      await closeRecords();
    },
  };
}

type Opened = { readonly records: Records; readonly closeRecords: () => Promise<void> };

async function recordsOf(options: HostOptions): Promise<Opened> {
  if (options.records) return { records: options.records, closeRecords: async () => undefined };
  const records = await openTestRecords();
  return { records, closeRecords: records.close };
}

function openLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: pino({ level: "trace" }, sink), lines };
}

function serverOptions(
  { records, store, server }: HostOptions & { readonly records: Records },
  given: Pick<ServerOptions, "access" | "log" | "clock"> & { readonly console: Console },
): ServerOptions {
  const now = given.clock;
  return {
    ...given,
    ask: async () => answerOf(),
    catalogue: [things],
    readiness: async () => ({ ready: true, reasons: [] }),
    metrics: createHttpMetrics(new Registry()),
    publicUrl: "http://console.example",
    paramsUnknown: "reject",
    operator: operatorData({ connectors, tables, store: store ?? NO_STORE, records, now, venueNow: now }),
    ...server,
  };
}

const newAddress = (name: string): string => `${name}-${randomBytes(5).toString("hex")}@example.org`;

function makers(
  admin: AdminContext,
  url: string,
): Pick<ConsoleHost, "makeAccount" | "makeUser" | "signedIn" | "browser"> {
  const browser = (): Browser => createBrowser(url);
  return {
    makeAccount: async (name, plan = "pro") => {
      const email = newAddress(`owner-of-${name}`);
      return (await createAccount(admin, { name, email, plan, password: PASSWORD })).account.id;
    },
    makeUser: async (account, role) => {
      const email = newAddress(role);
      const { user } = await createUser(admin, { account, email, name: email, role, password: PASSWORD });
      return { id: user.id, email };
    },
    signedIn: async (email, password = PASSWORD) => {
      const one = browser();
      await one.signIn(email, password);
      return one;
    },
    browser,
  };
}
