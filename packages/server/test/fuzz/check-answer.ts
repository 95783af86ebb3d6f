import { ERRORS } from "../../src/definition/errors.ts";
import { RENDERINGS } from "../../src/query/format.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { leaksIn } from "./leaks.ts";
import { problemsOfConsole, problemsOfDocument, problemsOfRows } from "./check-content.ts";

export type FuzzAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body with its content coding removed. */
  readonly body: Buffer;
  readonly milliseconds: number;
};

export type CheckOptions = {
  readonly maxMilliseconds: number;
  /** Patterns that no error may contain; they have the flag g. */
  readonly secrets: readonly RegExp[];
  /** Texts that no answer may contain, not even if the request did: keys, sessions, passwords and their digests. */
  readonly canaries?: readonly string[];
};

/** A documented refusal due to load, which says when to retry. */
export const isLimited = ({ status, headers }: FuzzAnswer): boolean =>
  status === 503 && /^\d+$/.test(String(headers["retry-after"]));

/** Everything that is wrong with an answer, in words; empty if it is as documented. */
export function problemsOf(request: FuzzRequest, answer: FuzzAnswer, options: CheckOptions): string[] {
  const problems: string[] = [];
  const { status } = answer;
  const limited = isLimited(answer);
  if (status >= 500 && !limited) problems.push(`status ${status}`);
  if (request.right && !limited && !request.right.includes(status))
    problems.push(`status ${status}, right would be ${request.right.join(" or ")}`);
  if (answer.milliseconds > options.maxMilliseconds) problems.push(`took ${Math.round(answer.milliseconds)} ms`);
  const text = answer.body.toString();
  problems.push(...reported(request, `${text} ${JSON.stringify(answer.headers)}`, options));
  if (request.target === "metrics") return problems;
  if (typeof answer.headers["x-request-id"] !== "string") problems.push("no x-request-id");
  const empty = request.method === "HEAD" || status === 204 || status === 304;
  if (empty) return text === "" ? problems : [...problems, "a body where there is none"];
  if (status >= 400) return [...problems, ...problemsOfError(request, answer, text, options)];
  return [...problems, ...problemsOfContent(request, answer, text)];
}

function problemsOfContent(request: FuzzRequest, answer: FuzzAnswer, text: string): string[] {
  const type = String(answer.headers["content-type"]);
  if (request.target === "console" && !request.path.endsWith("/ask")) return problemsOfConsole(type, text);
  if (request.target === "document") return problemsOfDocument(request.path, type, text);
  if (request.format !== undefined && type !== RENDERINGS[request.format].contentType)
    return [`content-type ${type} for ${request.format}`];
  return type.startsWith("application/json") ? problemsOfPage(answer, text) : problemsOfRows(type, answer.body, text);
}

/** Secrets in the answer, and other accounts' data unless the request itself named it. */
function reported(request: FuzzRequest, all: string, { canaries = [] }: CheckOptions): string[] {
  const found = canaries.filter((canary) => all.includes(canary));
  const foreign = (request.foreign ?? []).filter((text) => all.includes(text));
  const requested = foreign.length === 0 ? "" : saidBy(request);
  return [...found, ...foreign.filter((text) => !requested.includes(text))].map(
    (text) => `tells ${JSON.stringify(text)}`,
  );
}

const saidBy = (request: FuzzRequest): string =>
  `${request.path} ${JSON.stringify(request.headers)} ${unescaped(request.body?.toString() ?? "")}`;

function problemsOfError(request: FuzzRequest, answer: FuzzAnswer, text: string, { secrets }: CheckOptions): string[] {
  const seen = withoutRequestId(text, answer.headers);
  const said = `${saidBy(request)} ${decoded(request.path)}`;
  const leaks = leaksIn(seen, said, secrets).map((leak) => `leaks ${JSON.stringify(leak)}`);
  const error = parsed(text)?.["error"];
  if (typeof error !== "object" || error === null) return [...leaks, "not the error shape"];
  const { code, message, request_id: id, docs } = error as Record<string, unknown>;
  const known = typeof code === "string" && code in ERRORS ? ERRORS[code as keyof typeof ERRORS] : undefined;
  const problems = [...leaks];
  if (answer.headers["content-type"] !== "application/json; charset=utf-8")
    problems.push("not of the type of an error");
  if (known === undefined) problems.push(`unknown code ${String(code)}`);
  else if (known.status !== answer.status) problems.push(`${String(code)} with status ${answer.status}`);
  if (typeof message !== "string" || message === "" || message.length > 5000) problems.push("no good message");
  if (id !== answer.headers["x-request-id"]) problems.push("request ids differ");
  if (typeof docs !== "string") problems.push("no docs");
  return problems;
}

/** The request id is random, and eventually contains any word by chance. */
function withoutRequestId(body: string, headers: FuzzAnswer["headers"]): string {
  const text = `${body} ${JSON.stringify(headers)}`;
  const id = headers["x-request-id"];
  return typeof id === "string" && id !== "" ? text.replaceAll(`"${id}"`, "") : text;
}

function problemsOfPage(answer: FuzzAnswer, text: string): string[] {
  const page = parsed(text);
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

/** A path as the service decodes it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll("+", " "));
  } catch {
    return path;
  }
}

/** JSON text with its escapes resolved as far as possible, as an error message shows it. */
function unescaped(text: string): string {
  return `${text} ${text.replaceAll(/\\(["\\/])/g, "$1")} ${text.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
}
