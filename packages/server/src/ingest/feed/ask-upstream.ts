import type { Dispatcher } from "undici";
import type { Call, Host } from "../../definition/connector.ts";
import { backoffMs } from "../clock.ts";
import type { FeedOptions } from "./feed.ts";
import { readLimitHeaders } from "./read-limit-headers.ts";
import { send, type Sent } from "./send.ts";
import { UpstreamUnreachable } from "./upstream-errors.ts";
import type { Reservation, Spending } from "../spending.ts";

/** The upstream answered with a status that retrying will not change, or refused every attempt. */
class UpstreamRefused extends Error {
  readonly host: string;
  readonly path: string;
  readonly status: number;
  /** The start of the answer, for the log. */
  readonly sample: string;

  constructor(host: string, path: string, status: number, body: string) {
    const sample = body.slice(0, 300);
    super(`${host} answered ${status} to ${path}: ${sample}`);
    this.name = "UpstreamRefused";
    this.host = host;
    this.path = path;
    this.status = status;
    this.sample = sample;
  }
}

export type Asking = FeedOptions & {
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly isSlow: (route: string, latencyMs: number) => boolean;
};

/** `over` names the bound that an answer exceeds: it has no value then, and its text is its beginning. */
export type Answered = { readonly value: unknown; readonly text: () => string; readonly over: string | undefined };

type Outcome =
  | { readonly kind: "answer"; readonly answer: Answered }
  | { readonly kind: "absent" }
  | { readonly kind: "again"; readonly error: Error; readonly afterMs?: number };

/** Default maximum size of a host's answers. */
const MAX_BYTES = 8 * 1024 * 1024;
const PACE = { firstMs: 500, maxMs: 30_000 };
const MAX_RETRY_AFTER_MS = 120_000;
const MAX_RESET_MS = 60_000;
/** Slowness has other causes than our speed (a busy machine), so it slows less than a refusal does. */
const FOR_SLOWNESS = { by: 0.8, atMostEveryMs: 5000, lowest: 0.25 };
const FEW_LEFT = 0.05;
const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** Repeats one call until it is answered, absent, permanently refused or out of attempts. */
export async function askUpstream(asking: Asking, method: "GET" | "POST", call: Call): Promise<Answered | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const once = () => attemptOnce(asking, method, call);
    const outcome = await (asking.breaker?.guard(once, failureOf) ?? once());
    if (outcome.kind === "absent") return undefined;
    if (outcome.kind === "answer") return outcome.answer;
    if (attempt + 1 >= asking.attempts) throw outcome.error;
    const wait = Math.max(outcome.afterMs ?? 0, backoffMs(attempt, PACE));
    asking.log.debug({ stream: asking.stream, path: call.path, wait, why: outcome.error.message }, "retrying");
    await asking.clock.sleep(wait, asking.signal);
  }
}

const failureOf = (outcome: Outcome): string | undefined =>
  outcome.kind === "again" ? outcome.error.message : undefined;

async function attemptOnce(asking: Asking, method: "GET" | "POST", call: Call): Promise<Outcome> {
  const { budget, clock, metrics } = asking;
  const labels = { host: asking.host.name, route: call.route };
  const requested = clock.monotonicMs();
  await budget.take(call.route, call.cost ?? 1, asking.priority, asking.signal);
  const bill = await billCall(asking, call);
  const started = clock.monotonicMs();
  metrics.waitSeconds.observe(labels, (started - requested) / 1000);
  let sent: Sent;
  try {
    sent = await send({
      ...asking,
      host: asking.host.name,
      headers: { ...asking.host.headers, ...asking.headers },
      path: call.path,
      url: toUrl(asking, call),
      method,
      body: call.body,
      maxBytes: maxBytesOf(asking, call),
    });
  } catch (error) {
    if (!(error instanceof UpstreamUnreachable)) throw error;
    metrics.calls.inc({ ...labels, outcome: "unreachable" });
    return { kind: "again", error };
  }
  const { status, body } = sent;
  asking.raw?.keep({ ...labels, stream: asking.stream, path: pathOf(call), status, kind: "http", body: body.bytes });
  metrics.calls.inc({ ...labels, outcome: String(sent.status) });
  metrics.callSeconds.observe(labels, (clock.monotonicMs() - started) / 1000);
  const afterMs = obeyHeaders(asking, call.route, sent, clock.monotonicMs() - started);
  await bill?.answered(status);
  const outcome = await toOutcome(asking, call, sent, afterMs);
  if (outcome.kind === "answer") await bill?.given(outcome.answer.value);
  return outcome;
}

/** Slows the route down as the answer requires; returns the ms that this call has to wait, if any. */
function obeyHeaders(asking: Asking, route: string, sent: Sent, latencyMs: number): number | undefined {
  const { budget, clock } = asking;
  const said = readLimitHeaders(sent.header, clock.now());
  let eased = false;
  if (sent.status === 429) eased = budget.ease(route, { by: 0.5 });
  else if (asking.isSlow(route, latencyMs)) eased = budget.ease(route, FOR_SLOWNESS);
  if (said.remainingShare === 0 && said.resetMs !== undefined) {
    budget.pause(route, Math.min(said.resetMs, MAX_RESET_MS));
  } else if (said.remainingShare !== undefined && said.remainingShare < FEW_LEFT) {
    eased = budget.ease(route, FOR_SLOWNESS) || eased;
  }
  if (eased) {
    const speed = budget.use()[route]?.factor ?? 1;
    asking.log.warn(
      { host: asking.host.name, route, speed, status: sent.status, latencyMs },
      "slowing requests to an upstream",
    );
  }
  if (said.retryAfterMs === undefined) return undefined;
  const afterMs = Math.min(said.retryAfterMs, MAX_RETRY_AFTER_MS);
  if (sent.status === 429) budget.pause(route, afterMs);
  return afterMs;
}

function maxBytesOf({ host, maxBytes = MAX_BYTES }: Asking, call: Call): number {
  return call.maxBytes ?? host.maxBytes ?? maxBytes;
}

async function toOutcome(asking: Asking, call: Call, sent: Sent, afterMs: number | undefined): Promise<Outcome> {
  const host = asking.host.name;
  if (call.absentOn?.includes(sent.status)) return { kind: "absent" };
  const { over, text, json } = sent.body;
  if (sent.status < 200 || sent.status >= 300) {
    const refused = new UpstreamRefused(host, call.path, sent.status, text());
    if (!AGAIN.has(sent.status)) throw refused;
    return { kind: "again", error: refused, ...(afterMs === undefined ? {} : { afterMs }) };
  }
  if (over !== undefined) return { kind: "answer", answer: { value: undefined, text, over } };
  try {
    const { parse } = asking.host;
    const value = parse === undefined ? await json() : parse(text());
    return { kind: "answer", answer: { value, text, over } };
  } catch (error) {
    const why = `no answer: ${text().slice(0, 100)}`;
    return { kind: "again", error: new UpstreamUnreachable(host, call.path, why, error) };
  }
}

function toUrl(asking: Asking, call: Call): string {
  return `${asking.baseUrl.replace(/\/+$/, "")}${pathOf(call)}`;
}

/** The path with its query; repeated keys as given. */
export function pathOf({ path, query = [] }: Call): string {
  const text = new URLSearchParams();
  for (const [key, value] of query) text.append(key, value);
  return text.size > 0 ? `${path}?${text.toString()}` : path;
}

/** Billing of one attempt at a call. */
type CallBill = {
  /** Call with the upstream's status; a refusal is not billed. */
  readonly answered: (status: number) => Promise<void>;
  /** Call with the answer. If it is lost or does not state the billed amount, the entire reservation counts. */
  readonly given: (answer: unknown) => Promise<void>;
};

/** Reserves what the call may cost; undefined on a host that does not bill. Throws SpendingCapReached. */
async function billCall(
  { host, spending }: { readonly host: Host; readonly spending?: Spending | undefined },
  { path, price }: Call,
): Promise<CallBill | undefined> {
  if (spending === undefined) return undefined;
  if (price === undefined) throw new TypeError(`${host.name} bills, but the call of ${path} declares no price`);
  const reserved: Reservation = await spending.reserve(price);
  return {
    answered: async (status) => {
      if (status < 200 || status >= 300) await reserved.settle(0);
    },
    given: async (answer) => {
      const billed = price.billedMicro(answer);
      if (billed !== undefined) await reserved.settle(billed);
    },
  };
}
