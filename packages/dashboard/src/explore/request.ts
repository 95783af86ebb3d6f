import type { Dataset } from "./dataset.ts";
import { isOff } from "./params.ts";

/** Contents of the form: parameters by name (canonical, or as in a link) and the page. Absent: not sent. */
export type Requested = {
  readonly params: Readonly<Record<string, string>>;
  readonly limit: string;
  readonly offset: string;
};

export const NOTHING_REQUESTED: Requested = { params: {}, limit: "", offset: "" };

type Page = { readonly limit?: number; readonly offset?: number };
type Read = { readonly ok: true; readonly page: Page } | { readonly ok: false; readonly problems: Map<string, string> };

/** The requested page; default values are omitted. */
export function pageOf(dataset: Dataset, requested: Requested): Read {
  const problems = new Map<string, string>();
  const limit = wholeOf(requested.limit);
  const offset = wholeOf(requested.offset);
  const { max } = dataset.limit;
  if (limit === null || (limit !== undefined && (limit < 1 || limit > max))) {
    problems.set("limit", `a whole number from 1 to ${max}, got ${requested.limit.trim()}`);
  }
  if (offset === null) problems.set("offset", `a whole number from 0, got ${requested.offset.trim()}`);
  if (problems.size > 0) return { ok: false, problems };
  return {
    ok: true,
    page: {
      ...(typeof limit === "number" && limit !== dataset.limit.default ? { limit } : {}),
      ...(typeof offset === "number" && offset > 0 ? { offset } : {}),
    },
  };
}

function wholeOf(text: string): number | undefined | null {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}

/**
 * The parameters to send: without those that match the service's behaviour anyway (the default; no filter if there is
 * no default). Unknown parameters are sent too, so that the service can suggest what was meant.
 */
export function toParams(dataset: Dataset, requested: Requested): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const param of dataset.params) {
    const text = requested.params[param.name]?.trim();
    if (text === undefined || text === "") continue;
    if (text === param.default && param.default_unless === null) continue;
    if (param.default === null && isOff(param, text)) continue;
    sent[param.name] = text;
  }
  const known = new Set(dataset.params.map((param) => param.name));
  for (const [name, text] of Object.entries(requested.params)) if (!known.has(name)) sent[name] = text;
  return sent;
}

/** Longer links are truncated by some servers, chats and mail programs. */
export const MAX_LINK = 4000;
const PAGE = { limit: "_limit", offset: "_offset" } as const;

/** The query string of a link to the form's contents: only what differs from the defaults. */
export function searchOf(dataset: Dataset, requested: Requested): string {
  const search = new URLSearchParams(toParams(dataset, requested));
  if (requested.limit.trim() !== "" && requested.limit.trim() !== String(dataset.limit.default)) {
    search.set(PAGE.limit, requested.limit.trim());
  }
  if (requested.offset.trim() !== "" && requested.offset.trim() !== "0")
    search.set(PAGE.offset, requested.offset.trim());
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** The form's contents from a link. Aliases of a parameter become its canonical name; unknown names are kept. */
export function requestedOf(dataset: Dataset, search: string): Requested {
  const given = new URLSearchParams(search);
  const params: Record<string, string> = {};
  const names = new Set(dataset.params.map((param) => param.name));
  for (const [key, text] of given) {
    if (key === PAGE.limit || key === PAGE.offset) continue;
    const own = names.has(key) ? key : dataset.params.find((param) => param.aliases.includes(key))?.name;
    const isFree = own !== undefined && (own === key || !given.has(own));
    params[isFree ? own : key] = text;
  }
  return { params, limit: given.get(PAGE.limit) ?? "", offset: given.get(PAGE.offset) ?? "" };
}

/** The form's contents with the text of one name moved to another; unchanged if the name is not there any more. */
export function renamed(requested: Requested, from: string, to: string): Requested {
  const { [from]: text, ...rest } = requested.params;
  return text === undefined ? requested : { ...requested, params: { ...rest, [to]: text } };
}

/** A query as API clients send it. */
export type SentRequest = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly offset?: number;
};

/** The form's query; without a limit and an offset if one of them is malformed. */
export function requestOf(dataset: Dataset, requested: Requested): SentRequest {
  const read = pageOf(dataset, requested);
  return { agentId: dataset.agent_id, params: toParams(dataset, requested), ...(read.ok ? read.page : {}) };
}

/** Request body for the endpoint. */
export function bodyOf({ agentId, params, limit, offset }: SentRequest): Record<string, unknown> {
  const pagination = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  return {
    agent_id: agentId,
    params,
    ...(Object.keys(pagination).length > 0 ? { pagination } : {}),
  };
}

/** Code snippets of a query from GET /api/console/datasets; {{name}} is a placeholder. */
export type Snippets = Readonly<Record<"curl" | "typescript" | "python", string>>;

/** Fills in a snippet. The key is read from ALMANAC_API_KEY in every language. */
export function fillSnippet(snippet: string, baseUrl: string, request: SentRequest): string {
  const body = bodyOf(request);
  const parts: Readonly<Record<string, string>> = {
    base_url: baseUrl,
    body: JSON.stringify(body, null, 4),
    shell_body: JSON.stringify(body).replaceAll("'", String.raw`'\''`),
  };
  return snippet.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? "");
}
