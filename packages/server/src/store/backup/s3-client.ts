import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { XMLParser } from "fast-xml-parser";
import { Agent } from "undici";
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
  /** The same with the XML parsed; every element of `lists` is an array. */
  readonly askXml: (request: S3Request) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export const TRIES = 5;
const FIRST_WAIT_MS = 100;
const IDLE_MS = 60_000;
/** The status of an error that follows 200. */
const LATE_ERROR = 500;
const MAX_COMPLAINT = 2000;
const LISTS = new Set(["Contents", "Upload"]);
const parser = new XMLParser({ parseTagValue: false, isArray: (name) => LISTS.has(name) });

/** One S3-compatible server, with path-style addresses (host/bucket/key). Bodies are signed with their SHA-256. */
export function s3Client(place: S3Place): S3Client {
  const agent = new Agent({ connections: 8, pipelining: 1, headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS });
  const askOnce = (request: S3Request): Promise<S3Reply> => send(agent, place, request);
  return {
    ask: (request) => tried(() => askOnce(request)),
    askXml: (request) =>
      tried(async () => {
        const text = await textOf((await askOnce(request)).body);
        // S3 answers 200 before it knows whether it can assemble the parts of an upload.
        if (errorIn(text) !== undefined) throw toError(LATE_ERROR, text, place, request);
        return parser.parse(text) as unknown;
      }),
    close: () => agent.close(),
  };
}

async function tried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === TRIES) throw error;
      await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
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
  throw toError(reply.statusCode, await textOf(whole(read, place)), place, request);
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
  status: number,
  text: string,
  { endpoint, accessKeyId }: S3Place,
  { bucket, key }: S3Request,
): StorageError {
  const said = errorIn(text);
  const code = said?.Code ?? String(status);
  const what = `s3://${bucket}${key === undefined ? "" : `/${key}`} at ${endpoint}`;
  if (code === "NoSuchBucket")
    return new StorageError("absent", `there is no bucket ${bucket} at ${endpoint}: create it, or name another one`);
  if (status === 404) return new StorageError("absent", `${what} does not exist`);
  if (status === 401 || status === 403)
    return new StorageError(
      "refused",
      `${what} is refused (${code}) for the key ${accessKeyId}: check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION and the key's permissions`,
    );
  if ((status >= 500 && code !== "NotImplemented") || status === 429 || code === "RequestTimeout")
    return new StorageError("unreachable", `${what} answers ${status} (${code})`);
  return new StorageError("failed", `${what} answers ${status} (${code}): ${(said?.Message ?? "").slice(0, 200)}`);
}

/** Undefined if there is none: a proxy's page need not even be XML. */
function errorIn(text: string): { readonly Code?: string; readonly Message?: string } | undefined {
  try {
    return (parser.parse(text) as { Error?: ReturnType<typeof errorIn> }).Error;
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
