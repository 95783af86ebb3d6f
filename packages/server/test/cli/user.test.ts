import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openConsole, type Console } from "../../src/access/console.ts";
import { signIn } from "../../src/access/sign-in.ts";
import type { SessionUser } from "../../src/access/sessions.ts";
import { tempFolder } from "../records/temp-folder.ts";
import { openOwner, type TestOwner } from "./open-owner.ts";
import { runAlmanac } from "./test-root.ts";

const OWN = "correct horse battery staple";
const folder = tempFolder();

let owner: TestOwner;
let console: Console;
beforeAll(async () => {
  // The service is running, and commands find it by its socket.
  owner = await openOwner(folder.path);
  const { records } = owner;
  console = openConsole({
    records,
    clock: Date.now,
    bounds: { idleMs: 3_600_000, maxMs: 3_600_000 },
    throttle: { perAddress: 1000, perEmail: 1000, seconds: 60 },
  });
});
afterAll(async () => {
  await owner.close();
  folder.remove();
});

type Reported = Readonly<Record<string, unknown>> & {
  readonly user: Readonly<Record<string, unknown>>;
  readonly password?: string;
};

async function run(args: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubEnv("ALMANAC_DATA_DIR", folder.path);
  try {
    const code = await runAlmanac(args.split(" "));
    return { code, out: out.mock.calls.join(""), err: err.mock.calls.join("") };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

async function reported<T = Reported>(args: string): Promise<T> {
  const { code, out, err } = await run(`${args} --json`);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as T;
}

/** Runs the command in its own process and passes the password on standard input. */
async function withPassword(args: string, password: string): Promise<{ readonly code: number; readonly out: string }> {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    ALMANAC_DATA_DIR: folder.path,
  };
  const program = join(import.meta.dirname, "almanac.ts");
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args.split(" ")], { env }, (error, out) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out });
    });
    child.stdin?.end(`${password}\n`);
  });
}

const enter = async (email: string, password: string): Promise<SessionUser> =>
  (await signIn(console.adminOf(undefined), console, { email, password }, { address: "127.0.0.1" })).user;

test("an account's owner signs in with the password that was printed once", async () => {
  const { id, user, password = "" } = await reported("account create --name Ann --email ann@example.org --plan pro");
  expect(user).toMatchObject({ email: "ann@example.org", role: "owner", account_id: id });
  expect(await enter("ann@example.org", password)).toMatchObject({ mustChangePassword: true, role: "owner" });
});

test("a user is created, listed, given a new password, disabled and enabled", async () => {
  const { user, password } = await reported(
    "user create --account ann@example.org --email bo@example.org --role member",
  );
  expect(user).toMatchObject({ email: "bo@example.org", name: "bo@example.org", role: "member" });
  const again = await reported(`user password ${String(user["id"])}`);
  expect(again.password).not.toBe(password);
  await expect(enter("bo@example.org", password ?? "")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await enter("bo@example.org", again.password ?? "");
  expect(await reported("user disable bo@example.org")).toMatchObject({ disabled_at: expect.any(String) });
  await expect(enter("bo@example.org", again.password ?? "")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await reported("user disable bo@example.org --undo");
  await enter("bo@example.org", again.password ?? "");
  const listed = await run("user list --account ann@example.org");
  expect(listed.out).toContain("bo@example.org");
  expect(listed.out).not.toContain("argon2");
});

test("a chosen password is read from standard input and not printed", async () => {
  const args = "user create --account ann@example.org --email op@example.org --role operator --password-stdin --json";
  const { code, out } = await withPassword(args, OWN);
  expect([code, JSON.parse(out)]).toMatchObject([0, { user: { role: "operator", must_change_password: false } }]);
  expect(out).not.toContain(OWN);
  expect(await enter("op@example.org", OWN)).toMatchObject({ mustChangePassword: false });
  expect((await withPassword("user password op@example.org --password-stdin", "short")).code).toBe(2);
  expect((await withPassword("user password op@example.org --password-stdin", "")).code).toBe(2);
});

test.each([
  ["user create --account nobody@example.org --email x@example.org", 3, "no account"],
  ["user create --account ann@example.org --email ann@example.org", 1, "exists already"],
  ["user create --account ann@example.org --email x@example.org --role admin", 2, "--role"],
  ["user create --account ann@example.org --email x", 2, "email"],
  ["user password nobody@example.org", 3, "no user"],
  ["user disable nobody@example.org", 3, "no user"],
  ["account create --name x --email y@example.org --admin", 2, "--admin"],
])("%s fails with %i", async (args, code, message) => {
  const ran = await run(args);
  expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(message)]);
});
