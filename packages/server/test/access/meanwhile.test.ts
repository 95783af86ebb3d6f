import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import { changePassword } from "../../src/access/change-password.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { openSignInThrottle } from "../../src/access/limiter.ts";
import { openPasswords } from "../../src/access/passwords.ts";
import { signIn, type SignInHouse } from "../../src/access/sign-in.ts";
import { createUser, disableUser, resetPassword, setRole, type UserSummary } from "../../src/access/users.ts";
import type { Records } from "../../src/records/records.ts";
import { openConsoleHost, PASSWORD } from "../console/console-host.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

const ADDRESS = "192.0.2.1";
const NEW = "another horse battery staple";
const CHOSEN = "chosen by whoever knew the old one";

let records: Records;
let admin: AdminContext;
let account: string;
beforeAll(async () => {
  records = await openTestRecords();
  admin = { db: records.db, clock: Date.now, actor: "test" };
  ({ id: account } = (
    await createAccount(admin, { name: "a", email: "owner@example.org", password: PASSWORD })
  ).account);
});
afterAll(() => records.close());

const makeUser = async (name: string): Promise<UserSummary> =>
  (await createUser(admin, { account, email: `${name}@example.org`, name: "U", password: PASSWORD })).user;

/** A house in which `happens` completes while a password is being checked. */
function houseWhere(happens: () => Promise<unknown>): SignInHouse {
  const passwords = openPasswords();
  return {
    passwords: {
      ...passwords,
      verify: async (...given) => {
        const right = await passwords.verify(...given);
        await happens();
        return right;
      },
    },
    throttle: openSignInThrottle({ perAddress: 1000, perEmail: 1000, seconds: 900 }),
    bounds: { idleMs: 3_600_000, maxMs: 86_400_000 },
  };
}
const sessionsOf = (id: string): Promise<unknown[]> =>
  records.db.selectFrom("sessions").select("user_id").where("user_id", "=", id).execute();

describe("while a password is being checked", () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ["reset", (id) => resetPassword(admin, id, { own: NEW })],
    ["disabled", (id) => disableUser(admin, id, true)],
  ])("a user who is %s is not signed in by the old one", async (name, happens) => {
    const { id, email } = await makeUser(name);
    const signing = signIn(
      admin,
      houseWhere(() => happens(id)),
      { email, password: PASSWORD },
      { address: ADDRESS },
    );
    await expect(signing).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await sessionsOf(id)).toEqual([]);
    const refused = records.db.selectFrom("audit").select("action").where("subject", "=", id).orderBy("id", "desc");
    expect(await refused.executeTakeFirst()).toEqual({ action: "session.refuse" });
  });

  test("a password set by someone else is not replaced by one chosen with the old one", async () => {
    const { id, email } = await makeUser("changing");
    const house = houseWhere(() => resetPassword(admin, id, { own: NEW }));
    const before = await signIn(
      admin,
      houseWhere(async () => undefined),
      { email, password: PASSWORD },
      { address: ADDRESS },
    );
    const requested = { current_password: PASSWORD, new_password: CHOSEN };
    const from = { address: ADDRESS, session: before.token };
    await expect(changePassword(admin, house, before.user, requested, from)).rejects.toThrow(
      "current_password is not your password",
    );
    const after = { email, password: NEW };
    expect(
      (
        await signIn(
          admin,
          houseWhere(async () => undefined),
          after,
          { address: ADDRESS },
        )
      ).user.id,
    ).toBe(id);
  });
});

test("an owner gets no password of a user who is made an operator while it is being hashed", async () => {
  const host = await openConsoleHost();
  try {
    const own = await host.makeAccount("a");
    const { email } = await host.makeUser(own, "owner");
    const { id } = await host.makeUser(own, "member");
    const browser = await host.signedIn(email);
    const { hash } = host.console.passwords;
    Object.assign(host.console.passwords, {
      hash: async (...given: Parameters<typeof hash>) => {
        await setRole(host.admin, id, "operator");
        return await hash(...given);
      },
    });
    const reply = await browser.send("POST", `/users/${id}/password`);
    expect([reply.status, reply.json]).toMatchObject([
      403,
      { error: { message: "Only an operator may change an operator." } },
    ]);
  } finally {
    await host.close();
  }
});
