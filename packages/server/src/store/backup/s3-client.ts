import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { XMLParser } from "fast-xml-parser";
import { Agent } from "undici";
import type { z } from "zod";
import { StorageError } from "./storage.ts";

export type S3Place = {
  /** https://host, or http://host:port for a self-hosted server. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
};

export type S3Request = {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly bucket: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Requests the bytes of an object from this one on. */
  readonly from?: number;
};
export type S3Reply = { readonly headers: Readonly<Record<string, unknown>>; readonly body: AsyncIterable<Uint8Array> };

export type S3Client = {
  /** Returns answers with status 200 to 299; retries if a retry may help. Throws StorageError, also when it is read. */
  readonly ask: (request: S3Request) => Promise<S3Reply>;
  /** The same with the XML parsed by a schema. */
  readonly askXml: <T>(request: S3Request, schema: z.ZodType<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

export const TRIES = 5;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 60_000;
const IDLE_MS = 60_000;
/** The status of an error that follows 200. */
const LATE_ERROR = 500;
const MAX_COMPLAINT = 2000;
const LISTS = new Set(["Contents", "Upload"]);
// Keys may begin or end with a space; `htmlEntities` includes the numeric ones, as servers write apostrophes.
const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => LISTS.has(name),
});

type Rest = (ms: number) => Promise<unknown>;

/** One S3-compatible server, with path-style addresses (host/bucket/key). Bodies are signed with their SHA-256. */
export function s3Client(place: S3Place, rest: Rest = sleep): S3Client {
  const agent = new Agent({ connections: 8, pipelining: 1, headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS });
  const askOnce = (request: S3Request): Promise<S3Reply> => send(agent, place, request);
  return {
    ask: (request) => tried(() => askOnce(request), rest),
    askXml: (request, schema) =>
      tried(async () => {
        const text = await textOf((await askOnce(request)).body);
        // S3 answers 200 before it knows whether it can assemble the parts of an upload.
        if (errorIn(text) !== undefined) throw toError({ status: LATE_ERROR, text, headers: {} }, place, request);
        const parsed = schema.safeParse(parsedOf(text));
        if (parsed.success) return parsed.data;
        throw new StorageError("failed", `${place.endpoint} does not answer as an S3 server: check S3_ENDPOINT`);
      }, rest),
    close: () => agent.close(),
  };
}

async function tried<T>(run: () => Promise<T>, rest: Rest): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === TRIES) throw error;
      const own = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
      await rest(error instanceof BusyServer ? error.afterMs : own);
    }
  }
}

/** The server says after how long it may be asked again. */
class BusyServer extends StorageError {
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super("unreachable", message);
    this.afterMs = Math.min(MAX_WAIT_MS, afterMs);
  }
}

export const isWorthRetrying = (error: unknown): boolean =>
  error instanceof StorageError && error.problem === "unreachable";

async function send(agent: Agent, place: S3Place, request: S3Request): Promise<S3Reply> {
  const { method, bucket, key, query, body, from } = request;
  const url = new URL(place.endpoint);
  const path = [bucket, ...(key === undefined ? [] : key.split("/"))].map(encodeURIComponent).join("/");
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${path}`;
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const digest = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  const { endpoint: _endpoint, ...credentials } = place;
  const signer = new AwsV4Signer({
    ...definedOf(credentials),
    service: "s3",
    method,
    url: url.href,
    headers: { "x-amz-content-sha256": digest, ...(from === undefined ? {} : { range: `bytes=${from}-` }) },
  });
  const signed = await signer.sign();
  const headers = Object.fromEntries(signed.headers.entries());
  const { pathname, search } = signed.url;
  const reply = await agent
    .request({ origin: signed.url.origin, path: `${pathname}${search}`, method, headers, body: body ?? null })
    .catch((cause: unknown) => {
      throw new StorageError(
        "unreachable",
        `${place.endpoint} does not answer: check S3_ENDPOINT and the network`,
        cause,
      );
    });
  const { headers: replied, body: read } = reply;
  if (reply.statusCode >= 200 && reply.statusCode < 300) return { headers: replied, body: whole(read, place) };
  const text = await textOf(whole(read, place));
  throw toError({ status: reply.statusCode, text, headers: replied }, place, request);
}

/** The bytes of an answer. Throws StorageError if it is cut off. */
async function* whole(body: Readable, { endpoint }: S3Place): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
  } catch (cause) {
    throw new StorageError("unreachable", `${endpoint} cut off an answer: check the network`, cause);
  }
}

type Credentials = Omit<S3Place, "endpoint">;

const definedOf = ({ sessionToken, ...rest }: Credentials) =>
  sessionToken === undefined ? rest : { ...rest, sessionToken };

/** The server's message is shortened; it never contains the secret, but may contain what was signed. */
function toError(
  { status, text, headers }: Pick<S3Reply, "headers"> & { readonly status: number; readonly text: string },
  { endpoint, accessKeyId }: S3Place,
  { bucket, key }: S3Request,
): StorageError {
  const said = errorIn(text);
  const code = said?.Code ?? String(status);
  const what = `s3://${bucket}${key === undefined ? "" : `/${key}`} at ${endpoint}`;
  if (code === "NoSuchBucket")
    return new StorageError("absent", `there is no bucket ${bucket} at ${endpoint}: create it, or name another one`);
  if (status === 404) return new StorageError("absent", `${what} does not exist`);
  if (code === "RequestTimeTooSkewed")
    return new StorageError("refused", `${endpoint} has another time than this machine (${code}): set the clock`);
  const region = headers["x-amz-bucket-region"];
  if (status >= 300 && status < 400)
    return new StorageError(
      "refused",
      `the bucket ${bucket} is not at ${endpoint} (${code}): check S3_REGION and S3_ENDPOINT${typeof region === "string" ? `; its region is ${region}` : ""}`,
    );
  if (status === 401 || status === 403)
    return new StorageError(
      "refused",
      `${what} is refused (${code}) for the key ${accessKeyId}: check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION and the key's permissions`,
    );
  if ((status >= 500 && code !== "NotImplemented") || status === 429 || code === "RequestTimeout") {
    const message = `${what} answers ${status} (${code})`;
    const seconds = Number(headers["retry-after"]);
    return seconds > 0 ? new BusyServer(message, seconds * 1000) : new StorageError("unreachable", message);
  }
  return new StorageError("failed", `${what} answers ${status} (${code}): ${(said?.Message ?? "").slice(0, 200)}`);
}

/** Undefined if there is none: a proxy's page need not even be XML. */
function errorIn(text: string): { readonly Code?: string; readonly Message?: string } | undefined {
  return (parsedOf(text) as { Error?: ReturnType<typeof errorIn> } | undefined)?.Error;
}

/** Undefined if it is not XML. */
function parsedOf(text: string): unknown {
  try {
    return parser.parse(text);
  } catch {
    return undefined;
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body)
    if (text.length < MAX_COMPLAINT * 1000) text += decoder.decode(chunk, { stream: true });
  return text;
}
