import type { Page, Browser, BrowserContextOptions } from "playwright-core";

/** A service, and the credentials of its operator. */
export type Service = { readonly origin: string; readonly admin: Who };

type Json = Record<string, unknown>;

/** The console API as the dashboard calls it, without a browser: sets up what a test needs. */
export type ConsoleClient = {
  readonly get: (path: string) => Promise<Json>;
  readonly send: (path: string, body: unknown) => Promise<Json>;
  readonly ask: (agentId: number, params?: Record<string, string>, limit?: number) => Promise<Json[]>;
};

export async function openConsole(
  { origin }: Pick<Service, "origin">,
  { email, password }: Who,
): Promise<ConsoleClient> {
  const headers: Record<string, string> = { "content-type": "application/json", origin };
  const call = async (method: string, path: string, body?: unknown): Promise<{ reply: Response; value: Json }> => {
    const reply = await fetch(`${origin}/api/console${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return { reply, value: text === "" ? {} : (JSON.parse(text) as Json) };
  };
  const { reply, value } = await call("POST", "/session", { email, password });
  headers["cookie"] = (reply.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
  headers["x-csrf-token"] = String(value["csrf_token"]);
  return {
    get: async (path) => (await call("GET", path)).value,
    send: async (path, body) => (await call("POST", path, body)).value,
    ask: async (agentId, params = {}, limit = 5) => {
      const answer = (await call("POST", "/ask", { agent_id: agentId, params, pagination: { limit } })).value;
      return (answer["data"] as { results: Json[] }).results;
    },
  };
}

/** Creates a user with its own password, in the account of the operator or in the named one. */
export async function makeUser(
  service: Service,
  user: { email: string; role: "member" | "owner" | "operator" },
): Promise<Who> {
  const admin = await openConsole(service, service.admin);
  const made = await admin.send("/users", { name: user.email.split("@", 1)[0] ?? "", ...user });
  const first = { email: user.email, password: String(made["password"]) };
  const password = `${first.password}-of-their-own`;
  const own = await openConsole(service, first);
  await own.send("/password", { current_password: first.password, new_password: password });
  return { email: user.email, password };
}

/** Credentials to sign in with. */
export type Who = { readonly email: string; readonly password: string };

/** Fills in the form of /sign-in and submits it. */
export async function signIn(page: Page, { email, password }: Who): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in once, as the form does but without a page; returns the context options of a signed-in user. */
export async function signedIn(
  browser: Browser,
  { origin, admin }: Service,
  who: Who = admin,
): Promise<Pick<BrowserContextOptions, "storageState">> {
  const context = await browser.newContext();
  const data = { email: who.email, password: who.password };
  const reply = await context.request.post(`${origin}/api/console/session`, { data, headers: { origin } });
  if (!reply.ok()) throw new Error(`signing in as ${who.email} answered ${reply.status()}: ${await reply.text()}`);
  const storageState = await context.storageState();
  await context.close();
  return { storageState };
}
