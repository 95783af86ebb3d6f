import { examplesOf } from "../../definition/example-values.ts";
import cookie from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { addAccountRoutes } from "./account-routes.ts";
import { createConsoleRouter, type ConsoleRouter } from "./console-router.ts";
import type { ConsoleOptions, OperatorData } from "./console-options.ts";
import { addKeyRoutes } from "./key-routes.ts";
import { requireKnownDatasets } from "../../access/known-datasets.ts";
import { addUsageRoutes } from "./usage-routes.ts";
import { addUserRoutes } from "./user-routes.ts";
import { AccessError, readInput } from "../../access/access-error.ts";
import { CallerError, type ErrorCode } from "../../definition/errors.ts";
import { toCaller, type SessionUser, csrfTokenOf, signOut } from "../../access/sessions.ts";
import { createRetrieve } from "../retrieve.ts";
import { z } from "zod";
import { listAudit } from "../../access/list-audit.ts";
import { accountRequested } from "./console-routes.ts";
import { editPlan, listPlans } from "../../access/plans.ts";
import { mayRead } from "../../access/caller.ts";
import { describeDataset } from "../../definition/describe-dataset.ts";
import { SNIPPETS } from "../docs/snippets/snippets.ts";
import { readAccountsUsage } from "../../access/read-accounts-usage.ts";
import { changePassword } from "../../access/change-password.ts";
import { signIn } from "../../access/sign-in.ts";
import { clearSessionCookie, sessionCookie, setSessionCookie } from "./cookie.ts";

const MAX_ACCOUNTS = 500;
const MAX_PAGES = 200;

const parkedInput = z.strictObject({
  stream: z.string().min(1).max(100).optional(),
  state: z.enum(["waiting", "read"], { error: "expected waiting or read" }).optional(),
  before: z
    .string()
    .regex(/^\d{1,15}$/, "expected the id of a page")
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_PAGES))
    .default(50),
});

/** Service state: streams, store, parked pages, and the heaviest callers. */
function addOperatorRoutes({ on }: ConsoleRouter, { operator }: ConsoleOptions): void {
  on("operator.streams", async () => await given(operator).streams());
  on("operator.store", async () => await given(operator).store());
  on("operator.parked", async ({ query }) => {
    const { state, ...requested } = readInput(parkedInput, query);
    return await given(operator).parked({ ...requested, waiting: state && state === "waiting" });
  });
  on("operator.usage", async ({ admin }) => await readAccountsUsage(admin, MAX_ACCOUNTS));
}

function given(operator: OperatorData | undefined): OperatorData {
  if (operator === undefined) throw new CallerError("NOT_FOUND", "This process has no operator data.");
  return operator;
}

const agentIds = z.array(z.unknown()).transform((all) => all.filter((one) => typeof one === "number"));

/** Plan limits; the operator changes them, effective from the next request. */
function addPlanRoutes({ on }: ConsoleRouter, { catalogue }: ConsoleOptions): void {
  on("plans.list", async ({ admin }) => ({ plans: await listPlans(admin) }));
  on("plans.edit", async ({ admin, params, body }) => {
    requireKnownDatasets(catalogue, agentIds.safeParse(body["datasets"]).data ?? []);
    return { plan: await editPlan(admin, params["name"] ?? "", body) };
  });
}

const input = z.strictObject({
  before: z.string().optional(),
  limit: z.string().optional(),
  account: z.string().optional(),
});

/** The audit trail: who changed what. */
function addAuditRoute({ on }: ConsoleRouter): void {
  on("audit.list", async ({ user, admin, query }) => {
    const { account: named, ...page } = readInput(input, query);
    const account = accountRequested(user, "audit.read", named);
    return await listAudit(admin, { ...page, ...(account === undefined ? {} : { account }) });
  });
}

const CODES: Readonly<Record<AccessError["problem"], ErrorCode>> = {
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  invalid: "INVALID_REQUEST",
  forbidden: "FORBIDDEN",
};

/** Maps a change that cannot be made to the caller's error; anything else is returned unchanged. */
function toConsoleError(error: unknown): unknown {
  if (!(error instanceof AccessError)) return error;
  // A message about fields begins with the name of one.
  const isOfFields = error.fields.length > 0;
  const message = isOfFields ? error.message : `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`;
  return new CallerError(CODES[error.problem], `${message.replace(/\.$/, "")}.`, { details: error.fields });
}

/** Adds the dashboard's API: everything under /api/console. */
export function addConsoleRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  void app.register(async (scope) => {
    await scope.register(cookie);
    // Thrown on to the endpoint's handler, which also delays refusals.
    scope.setErrorHandler((error) => {
      throw toConsoleError(error);
    });
    const router = createConsoleRouter(scope, options);
    addSessionRoutes(router, options);
    addAskRoute(router, options);
    addKeyRoutes(router, options);
    addUserRoutes(router, options);
    addAuditRoute(router);
    addAccountRoutes(router, options);
    addPlanRoutes(router, options);
    addDatasetsRoute(router, options);
    addUsageRoutes(router, options);
    addOperatorRoutes(router, options);
  });
}

/** The retrieve endpoint with the session instead of a key: the same body, limits, answer and errors. */
function addAskRoute({ on }: ConsoleRouter, options: ConsoleOptions): void {
  const retrieve = createRetrieve(options);
  on("ask", async ({ user, request, reply }) => {
    const caller = toCaller(user);
    request.state.caller = caller;
    await options.charging.admit(caller, request, reply);
    await retrieve(request, reply);
  });
}

/**
 * Every dataset as the explorer needs it: its definition, whether this account may read it, the page size its plan
 * allows; plus the code snippets it fills in.
 */
function addDatasetsRoute({ on }: ConsoleRouter, { catalogue, exampleValues }: ConsoleOptions): void {
  const described = catalogue.map((dataset) => ({ dataset, reported: describeDataset(dataset) }));
  on("datasets.list", async ({ user }) => {
    const caller = toCaller(user);
    const { maxPage } = caller.plan;
    const values = await exampleValues();
    const datasets = [];
    for (const { dataset, reported } of described) {
      const limit = { default: Math.min(reported.limit.default, maxPage), max: Math.min(reported.limit.max, maxPage) };
      datasets.push({ ...reported, limit, examples: examplesOf(dataset, values), may_read: mayRead(caller, dataset) });
    }
    return { datasets, snippets: SNIPPETS };
  });
}

/** Sign in, current user, sign out, change password. */
function addSessionRoutes({ on, onPublic }: ConsoleRouter, { console, publicUrl }: ConsoleOptions): void {
  onPublic("session.start", async ({ admin, body, request, reply }) => {
    const session = sessionCookie(request);
    const requested = body as Parameters<typeof signIn>[2];
    const from = { address: request.ip, ...(session === undefined ? {} : { session }) };
    const { token, user } = await signIn(admin, console, requested, from);
    request.state.user = user.id;
    setSessionCookie(reply, token, publicUrl, console.bounds.maxMs);
    return { user: shownUser(user), csrf_token: csrfTokenOf(token) };
  });
  on("session.read", async ({ user, token }) => ({ user: shownUser(user), csrf_token: csrfTokenOf(token) }));
  on("session.end", async ({ user, admin, token, reply }) => {
    await signOut(admin, token, user);
    clearSessionCookie(reply, publicUrl);
  });
  on("password", async ({ user, admin, token, body, request }) => {
    const requested = body as Parameters<typeof changePassword>[3];
    await changePassword(admin, console, user, requested, { address: request.ip, session: token });
  });
}

function shownUser({ id, email, name, role, mustChangePassword, account }: SessionUser): object {
  return {
    id,
    email,
    name,
    role,
    must_change_password: mustChangePassword,
    account: { id: account.id, name: account.name, plan: account.plan.name },
  };
}
