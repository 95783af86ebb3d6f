import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "../../src/access/find.ts";
import type { Reply } from "./browser.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

const OWN = "a passphrase of mine 17";
const NEXT = "another passphrase 18";
const WRONG = "some wrong passphrase 19";

let host: ConsoleHost;
beforeAll(async () => {
  host = await openConsoleHost();
});
afterAll(() => host.close());

/** Every row of every table. */
async function everythingStored(): Promise<string> {
  const { db } = host.records;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const parts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    parts.push(
      JSON.stringify(rows, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
      ),
    );
  }
  expect(parts.length).toBeGreaterThan(10);
  return parts.join("\n");
}

test("passwords, keys, sessions and CSRF tokens never appear in log lines, records, errors or audit entries", async () => {
  const account = await host.makeAccount("a");
  const owner = await host.signedIn((await host.makeUser(account, "owner")).email);
  const answers: Reply[] = [];
  const note = (reply: Reply): Reply => {
    answers.push(reply);
    return reply;
  };

  const made = await owner.send("POST", "/users", { email: "one@example.org", name: "One", role: "member" });
  const { password: first, user } = made.json as { password: string; user: { id: string } };
  const browser = host.browser();
  note(await browser.send("POST", "/session", { email: "one@example.org", password: WRONG }));
  note(await browser.send("POST", "/session", { email: WRONG, password: OWN }));
  await browser.signIn("one@example.org", first);
  note(await browser.send("POST", "/password", { current_password: WRONG, new_password: OWN }));
  note(await browser.send("POST", "/password", { current_password: first, new_password: [OWN] }));
  await browser.send("POST", "/password", { current_password: first, new_password: OWN });
  note(await browser.send("POST", "/password", { current_password: OWN, new_password: OWN }));
  await browser.send("POST", "/password", { current_password: OWN, new_password: NEXT });
  const reset = (await owner.send("POST", `/users/${user.id}/password`)).json as { password: string };
  const again = await host.signedIn("one@example.org", reset.password);
  await again.send("POST", "/password", { current_password: reset.password, new_password: NEXT });

  const { key, summary } = (await again.send("POST", "/keys", { name: "k" })).json as {
    key: string;
    summary: { id: string };
  };
  const rotated = (await again.send("POST", `/keys/${summary.id}/rotate`, {})).json as { key: string };
  const never = newKey();
  const mistyped = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
  for (const one of [key, rotated.key, never, mistyped]) {
    // Sends the key where it belongs, and wherever a user may put it by mistake.
    const { json, text } = await ask(one, { authorization: `Bearer ${one}` });
    if ([never, mistyped].includes(one)) note({ json, text, status: 401, headers: new Headers() });
    await ask(one, { authorization: `Bearer ${key}`, "x-request-id": one });
    await fetch(`${host.url}/${one}`).then((response) => response.text());
    await fetch(`${host.endpoint}?key=${one}`, { method: "POST" }).then((response) => response.text());
    note(await again.send("POST", `/keys/${one}/revoke`));
    note(await again.send("GET", `/keys?account=x`, undefined, { "x-request-id": one }));
  }
  note(await again.send("POST", "/keys", { name: "k" }, { "x-csrf-token": key }));
  await again.send("POST", `/keys/${summary.id}/revoke`);
  await again.send("DELETE", "/session");
  await host.access.close();

  const secrets = {
    first,
    reset: reset.password,
    OWN,
    NEXT,
    WRONG,
    key: secretOf(key),
    rotated: secretOf(rotated.key),
    never: secretOf(never),
    cookie: owner.cookie() ?? "",
    csrf: owner.csrf() ?? "",
  };
  const places = {
    log: host.lines.join("\n"),
    records: await everythingStored(),
    audit: (await owner.send("GET", "/audit?limit=200")).text,
    lists: (await owner.send("GET", "/keys")).text + (await owner.send("GET", "/users")).text,
    errors: answers.map(({ text, headers }) => text + JSON.stringify([...headers])).join("\n"),
  };
  expect(places.log).toContain("/api/console/keys/alm_live_");
  expect(places.audit).toContain("key.rotate");
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(15);
    for (const [place, text] of Object.entries(places)) {
      expect(text.includes(secret), `${what} is in the ${place}`).toBe(false);
    }
  }
});

const secretOf = (key: string): string => key.split("_")[2] ?? "";

async function ask(key: string, headers: Record<string, string>): Promise<Pick<Reply, "json" | "text">> {
  const response = await fetch(host.endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ agent_id: 574, params: {}, pagination: { cursor: key } }),
  });
  const text = await response.text();
  return { text, json: JSON.parse(text) };
}

test("the audit log has an entry for every change, with the user who made it", async () => {
  const entries = await host.records.db.selectFrom("audit").selectAll().orderBy("id").execute();
  const actions = new Set(entries.map(({ action }) => action));
  for (const action of [
    "account.create",
    "user.create",
    "user.change_password",
    "user.reset_password",
    "session.start",
    "session.refuse",
    "session.end",
    "key.create",
    "key.rotate",
    "key.revoke",
  ]) {
    expect(actions, action).toContain(action);
  }
  const one = await host.records.db
    .selectFrom("users")
    .selectAll()
    .where("email", "=", "one@example.org")
    .executeTakeFirstOrThrow();
  expect(entries.find(({ action }) => action === "key.create")).toMatchObject({
    actor: "one@example.org",
    user_id: one.id,
    account_id: one.account_id,
  });
  const refused = entries.filter(({ action }) => action === "session.refuse");
  expect(refused.map(({ subject }) => subject)).toContain(one.id);
  expect(refused[0]).toMatchObject({ actor: "nobody", detail: { address: "127.0.0.1" } });
});
