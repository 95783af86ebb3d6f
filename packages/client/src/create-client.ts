import { type SendOptions, keyTransport, createSend, type Transport } from "./send.ts";
import type { Answer, Row } from "./answer.ts";
import { readDownload, type Download, type DownloadOptions } from "./download.ts";
import { readAnswer } from "./read-answer.ts";

export type ClientOptions = SendOptions & {
  /** Base URL of the service, e.g. "https://almanac.example". */
  readonly baseUrl: string;
  /** An API key. Keep it out of code and out of browsers. */
  readonly key: string;
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch;
};

/** Creates a client for a service, with an API key. */
export function createClient({ baseUrl, key, fetch: fetchIt = fetch, ...send }: ClientOptions): Client {
  if (key.trim() === "") throw new TypeError("key is empty: give the API key, e.g. from ALMANAC_API_KEY");
  if (!/^[\x21-\x7e]+$/.test(key.trim()))
    throw new TypeError("key has a space or a character that no API key has: give the API key alone");
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl is "${baseUrl}": it begins with http:// or https://`);
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is "${baseUrl}": it is no valid URL`);
  return createClientOver(keyTransport(baseUrl, key, fetchIt), send);
}

/** Filters by name; every value is text: "1000", "True", "2026-11-20". */
export type Params = Readonly<Record<string, string>>;

export type AskOptions = {
  readonly limit?: number;
  readonly offset?: number;
  /** `pagination.nextCursor` of the previous page; excludes an offset. */
  readonly cursor?: string;
  /** raw (as documented) or typed (numbers and JSON in place of decimal strings and JSON in strings). */
  readonly format?: "raw" | "typed";
  readonly signal?: AbortSignal;
};

export type PagesOptions = Omit<AskOptions, "offset"> & {
  /** Maximum number of pages. Default 100. */
  readonly maxPages?: number;
};

export type Client = {
  /** One page of a dataset. Throws AlmanacError. */
  readonly ask: <R = Row>(agentId: number, params?: Params, options?: AskOptions) => Promise<Answer<R>>;
  /**
   * Yields page after page of one cursor walk; rows neither repeat nor go missing while new ones arrive. If it stops at
   * `maxPages`, the last page's `pagination.hasMore` is true.
   */
  readonly pages: <R = Row>(
    agentId: number,
    params?: Params,
    options?: PagesOptions,
  ) => AsyncGenerator<Answer<R>, void>;
  /** One page as a CSV, NDJSON, Parquet or Arrow document. Throws AlmanacError. */
  readonly download: (agentId: number, params: Params, options: DownloadOptions) => Promise<Download>;
};

/** Creates a client with a custom transport, e.g. with a session instead of a key. */
export function createClientOver(transport: Transport, options: SendOptions = {}): Client {
  const send = createSend(transport, options);
  const ask: Client["ask"] = (agentId, params = {}, how = {}) =>
    send(bodyOf(agentId, params, how), how.signal, (response) => readAnswer(response));
  return {
    ask,
    pages: (agentId, params = {}, how = {}) => walk(ask, agentId, params, how),
    download: (agentId, params, how) => send(bodyOf(agentId, params, how), how.signal, readDownload),
  };
}

async function* walk<R>(
  ask: Client["ask"],
  agentId: number,
  params: Params,
  { maxPages = 100, ...options }: PagesOptions,
): AsyncGenerator<Answer<R>, void> {
  let { cursor } = options;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await ask<R>(agentId, params, { ...options, ...(cursor === undefined ? {} : { cursor }) });
    yield answer;
    if (!answer.pagination.hasMore || answer.pagination.nextCursor === null) return;
    cursor = answer.pagination.nextCursor;
  }
}

type Paged = { limit?: number; offset?: number; cursor?: string; format?: string; csvSafe?: boolean };

function bodyOf(agentId: number, params: Params, { limit, offset, cursor, format, csvSafe }: Paged): string {
  const pagination = {
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return JSON.stringify({
    agent_id: agentId,
    params,
    ...(Object.keys(pagination).length > 0 ? { pagination } : {}),
    ...(format === undefined
      ? {}
      : { formatter_config: { format_type: format, ...(csvSafe === undefined ? {} : { csv_safe: csvSafe }) } }),
  });
}
