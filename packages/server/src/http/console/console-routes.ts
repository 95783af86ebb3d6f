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
  readonly about: string;
};

/** Every route of the console, by name. A route is added here and then handled by `on("name", …)`. */
export const CONSOLE_ROUTES = {
  "session.start": { method: "POST", path: "/session", right: null, reads: "json", about: "Sign in." },
  "session.read": {
    method: "GET",
    path: "/session",
    right: "session.own",
    reads: "nothing",
    about: "Who is signed in.",
  },
  "session.end": { method: "DELETE", path: "/session", right: "session.own", reads: "nothing", about: "Sign out." },
  "datasets.list": {
    method: "GET",
    path: "/datasets",
    right: "datasets.ask",
    reads: "nothing",
    about: "Every dataset, and whether the account may read it.",
  },
  ask: { method: "POST", path: "/ask", right: "datasets.ask", reads: "stream", about: "Ask a dataset." },
} as const satisfies Record<string, ConsoleRoute>;

export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES;
