import { ERRORS } from "../../src/definition/errors.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { leaksIn } from "./leaks.ts";

export type FuzzAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly milliseconds: number;
};

export type CheckOptions = { readonly maxMilliseconds: number; readonly secrets: readonly RegExp[] };

/** Everything that is wrong with an answer, in words; nothing where it is as promised. */
export function problemsOf(request: FuzzRequest, answer: FuzzAnswer, options: CheckOptions): string[] {
  const problems: string[] = [];
  const { status } = answer;
  if (status >= 500) problems.push(`status ${status}`);
  if (request.right && !request.right.includes(status))
    problems.push(`status ${status}, right would be ${request.right.join(" or ")}`);
  if (answer.milliseconds > options.maxMilliseconds) problems.push(`took ${Math.round(answer.milliseconds)} ms`);
  if (typeof answer.headers["x-request-id"] !== "string") problems.push("no x-request-id");
  const empty = request.method === "HEAD" || status === 204 || status === 304;
  if (empty) return answer.body === "" ? problems : [...problems, "a body where there is none"];
  return [
    ...problems,
    ...(status >= 400 ? problemsOfError(request, answer, options) : problemsOfPage(request, answer)),
  ];
}

function problemsOfError(request: FuzzRequest, answer: FuzzAnswer, { secrets }: CheckOptions): string[] {
  const said = `${request.path} ${JSON.stringify(request.headers)} ${unescaped(request.body?.toString() ?? "")}`;
  const leaks = leaksIn(withoutRequestId(answer), said, secrets).map((leak) => `leaks ${JSON.stringify(leak)}`);
  const error = parsed(answer.body)?.["error"];
  if (typeof error !== "object" || error === null) return [...leaks, "not the error shape"];
  const { code, message, request_id: id, docs } = error as Record<string, unknown>;
  const known = typeof code === "string" && code in ERRORS ? ERRORS[code as keyof typeof ERRORS] : undefined;
  const problems = [...leaks];
  if (known === undefined) problems.push(`unknown code ${String(code)}`);
  else if (known.status !== answer.status) problems.push(`${String(code)} with status ${answer.status}`);
  if (typeof message !== "string" || message === "" || message.length > 5000) problems.push("no good message");
  if (id !== answer.headers["x-request-id"]) problems.push("request ids differ");
  if (typeof docs !== "string") problems.push("no docs");
  return problems;
}

/** The request id is made by chance, and chance spells any word in time. */
function withoutRequestId({ body, headers }: FuzzAnswer): string {
  const text = `${body} ${JSON.stringify(headers)}`;
  const id = headers["x-request-id"];
  return typeof id === "string" && id !== "" ? text.replaceAll(`"${id}"`, "") : text;
}

function problemsOfPage(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const type = answer.headers["content-type"];
  if (request.method !== "POST" || typeof type !== "string" || !type.startsWith("application/json")) return [];
  if (answer.headers["content-encoding"] !== undefined) return [];
  const page = parsed(answer.body);
  const results = (page?.["data"] as Record<string, unknown> | undefined)?.["results"];
  if (!Array.isArray(results)) return ["no data.results"];
  const place = page?.["pagination"];
  if (typeof place !== "object" || place === null) return ["no pagination"];
  const { limit, has_more: hasMore, next_cursor: next } = place as Record<string, unknown>;
  const problems: string[] = [];
  if (results.length > Number(limit)) problems.push(`${results.length} rows for a limit of ${String(limit)}`);
  if (hasMore === true && results.length !== limit) problems.push("has_more on a short page");
  if (hasMore === true && typeof next !== "string") problems.push("has_more without next_cursor");
  if (page?.["request_id"] !== answer.headers["x-request-id"]) problems.push("request ids differ");
  return problems;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** JSON text with its escapes resolved as far as they can be, as an error message shows it. */
function unescaped(text: string): string {
  return `${text} ${text.replaceAll(/\\(["\\/])/g, "$1")} ${text.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
}
