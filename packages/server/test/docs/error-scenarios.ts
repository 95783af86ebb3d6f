import type { ErrorCode } from "../../src/definition/errors.ts";
import type { Ask } from "../../src/query/answer.ts";
import type { Browser, Reply } from "../console/browser.ts";
import { openConsoleHost, type ConsoleHost } from "../console/console-host.ts";
import { openApi, post } from "../http/api.ts";
import type { Service } from "../promises/service.ts";

type Scenario = (service: Service) => Promise<Response>;

/** How to provoke each error: a request to a real service, a failing ask, or the console. */
export const ERROR_SCENARIOS: Readonly<Record<ErrorCode, Scenario>> = {
  MALFORMED_JSON: ({ ask }) => ask('{"agent_id": 574,'),
  MISSING_AGENT_ID: ({ ask }) => ask({ params: {} }),
  INVALID_AGENT_ID: ({ ask }) => ask({ agent_id: "574" }),
  INVALID_REQUEST: ({ ask }) => ask({ agent_id: 574, filters: {} }),
  INVALID_PARAMS: ({ ask }) => ask({ agent_id: 556, params: { sid: "BUY" } }),
  INVALID_PAGINATION: ({ ask }) => ask({ agent_id: 574, pagination: { limit: 5000 } }),
  INVALID_FORMAT: ({ ask }) => ask({ agent_id: 574, formatter_config: { format_type: "xml" } }),
  UNAUTHENTICATED: ({ ask }) => ask({ agent_id: 574 }, { authorization: "Bearer alm_live_mistyped" }),
  FORBIDDEN: async ({ ask, makeKey }) =>
    ask({ agent_id: 584 }, { authorization: `Bearer ${await makeKey({ datasets: [574] })}` }),
  UNKNOWN_AGENT: ({ ask }) => ask({ agent_id: 999 }),
  NOT_FOUND: ({ url }) => fetch(`${url}/api/v2/semantic/retrieve`, { method: "POST" }),
  METHOD_NOT_ALLOWED: ({ endpoint }) => fetch(endpoint),
  NOT_ACCEPTABLE: ({ ask }) => ask({ agent_id: 574 }, { accept: "application/json;q=0, application/xml" }),
  BODY_TOO_LARGE: ({ ask }) => ask({ agent_id: 574, params: { market_slug: "x".repeat(70_000) } }),
  UNSUPPORTED_MEDIA_TYPE: ({ ask }) => ask({ agent_id: 574 }, { "content-type": "text/plain" }),
  RATE_LIMITED: () => atApi(() => Promise.reject(new Error("a fault")), { perMinute: 1 }, 2),
  INTERNAL: () => atApi(() => Promise.reject(new Error("a fault"))),
  UNAVAILABLE: () => atApi(never, { bounds: { maxAsks: 0 } }),
  QUERY_TIMEOUT: () => atApi(never, { bounds: { askTimeoutMs: 50 } }),
  PASSWORD_CHANGE_REQUIRED: () =>
    inConsole(async (host, owner) => {
      const made = await owner.send("POST", "/users", { email: "new@example.org", name: "New", role: "member" });
      const first = host.browser();
      await first.signIn("new@example.org", String(made.json["password"]));
      return first.send("GET", "/keys");
    }),
  CONFLICT: () =>
    inConsole(async (_host, owner) => {
      const user = { email: "anna@example.org", name: "Anna", role: "member" };
      await owner.send("POST", "/users", user);
      return owner.send("POST", "/users", user);
    }),
};

const never = (): Promise<never> => new Promise(() => undefined);

/** The last of `times` answers of a server over a hand-written ask. */
async function atApi(ask: Ask, options: Parameters<typeof openApi>[1] = {}, times = 1): Promise<Response> {
  const api = await openApi(ask, options);
  try {
    for (let turn = 1; turn < times; turn += 1) await post(api, "{}");
    const reply = await post(api, times > 1 ? "{}" : { agent_id: 574 });
    return new Response(await reply.text(), { status: reply.status });
  } finally {
    await api.close();
  }
}

async function inConsole(play: (host: ConsoleHost, owner: Browser) => Promise<Reply>): Promise<Response> {
  const host = await openConsoleHost();
  try {
    const { email } = await host.makeUser(await host.makeAccount("acme"), "owner");
    const { text, status } = await play(host, await host.signedIn(email));
    return new Response(text, { status });
  } finally {
    await host.close();
  }
}
