import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import S3rver from "@20minutes/s3rver";
import type { S3Place } from "../../src/store/backup/s3-client.ts";

/** The only account of s3rver. */
const KEY = "S3RVER";

/** An answer in place of the server's. */
type Canned = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Only requests to complete an upload are answered so. */
  readonly isOfEnd?: boolean;
};
type Failure =
  | Canned
  | "503"
  | "503 page"
  | "503 cut"
  | "cut"
  | "cut within"
  | "cut at its end"
  | "in bytes"
  | "end lost";

export type TestS3 = {
  readonly place: S3Place;
  readonly bucket: string;
  /**
   * Answers the given number of next requests as given, or with 503, with a page that is no XML or an error that is cut
   * off, cuts their connections at once, within the answer or after its last byte, or sends each byte of the answer on
   * its own. Or completes the next uploads and cuts the connection.
   */
  readonly fail: (how: Failure, times: number) => void;
  /** Methods and queries of all requests received, including failed ones. */
  readonly requests: readonly string[];
  readonly files: () => readonly string[];
  /** Keys of the uploads in parts that were neither completed nor aborted. */
  readonly uploads: () => readonly string[];
  readonly stop: () => Promise<void>;
};

/** Starts a real S3 server that checks signatures, behind a proxy that can fail, on free loopback ports. */
export async function startS3(bucket = "backups"): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-s3-"));
  const server = new S3rver({
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await server.configureBuckets();
  const inner = await server.listen(0, "127.0.0.1");
  const requests: string[] = [];
  const uploadsFolder = join(folder, bucket, "._S3rver_uploads");
  const uploads = () =>
    (existsSync(uploadsFolder) ? readdirSync(uploadsFolder) : []).map((id) => ({
      id,
      key: readFileSync(join(uploadsFolder, id, "key"), "utf8"),
    }));
  const failing = { how: "503" as Failure, times: 0 };
  const proxy = createServer((requested, answer) => {
    requests.push(`${requested.method} ${requested.url?.split("?")[1] ?? ""}`);
    const isEnd = requested.method === "POST" && requested.url?.includes("uploadId=") === true;
    const isOfEnd = failing.how === "end lost" || (typeof failing.how === "object" && failing.how.isOfEnd === true);
    const isFailing = failing.times > 0 && (isEnd || !isOfEnd);
    const passing = isFailing ? PASSING[String(failing.how)] : pipeAnswer;
    if (isFailing) failing.times -= 1;
    if (passing === undefined) {
      if (failing.how === "cut") return void requested.socket.destroy();
      requested.resume();
      if (typeof failing.how === "object")
        return void answer.writeHead(failing.how.status, failing.how.headers).end(failing.how.body);
      answer.writeHead(503);
      if (failing.how === "503 cut") return void answer.write("<Error>", () => answer.destroy());
      return void answer.end(failing.how === "503 page" ? "<p>load > 90 % & < 100 %" : "");
    }
    const { method, url, headers } = requested;
    const query = new URL(url ?? "", "http://proxy").searchParams;
    // The server behind can neither list unfinished uploads nor abort one, nor say that there is none.
    if (isEnd && !existsSync(join(uploadsFolder, query.get("uploadId") ?? "-")))
      return void answer.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
    if (method === "GET" && query.has("uploads")) {
      const of = uploads().filter(({ key }) => key.startsWith(query.get("prefix") ?? ""));
      const listed = of.map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
      return void answer.end(`<ListMultipartUploadsResult>${listed.join("")}</ListMultipartUploadsResult>`);
    }
    if (method === "DELETE" && query.has("uploadId")) {
      rmSync(join(uploadsFolder, query.get("uploadId") ?? "-"), { recursive: true, force: true });
      return void answer.writeHead(204).end();
    }
    const passed = request({ host: "127.0.0.1", port: portOf(inner), method, path: url, headers }, (reply) => {
      const { "content-length": length, ...withoutLength } = reply.headers;
      const isWhole = passing === pipeAnswer || passing === cutWithin;
      answer.writeHead(reply.statusCode ?? 500, isWhole && length !== undefined ? reply.headers : withoutLength);
      void passing(reply, answer);
    });
    requested.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  return {
    place: {
      endpoint: `http://127.0.0.1:${portOf(proxy)}`,
      region: "us-east-1",
      accessKeyId: KEY,
      secretAccessKey: KEY,
    },
    bucket,
    fail: (how, times) => void Object.assign(failing, { how, times }),
    requests,
    files: () => readdirSync(folder, { recursive: true }).map(String),
    uploads: () => uploads().map(({ key }) => key),
    stop: async () => {
      for (const one of [proxy, inner]) await closed(one);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Pass = (reply: IncomingMessage, answer: ServerResponse) => unknown;

const pipeAnswer: Pass = (reply, answer) => reply.pipe(answer);

const cutWithin: Pass = (reply, answer) =>
  reply.once("data", (part: Buffer) => answer.write(part.subarray(0, part.length / 2), () => answer.destroy()));

/** Without a length, so that the reader cannot know that it has every byte. */
async function cutAtEnd(reply: IncomingMessage, answer: ServerResponse): Promise<void> {
  for await (const part of reply) answer.write(part);
  answer.write("", () => setTimeout(() => answer.destroy()));
}

/** The server behind has handled the request when its answer ends. */
async function cutUnanswered(reply: IncomingMessage, answer: ServerResponse): Promise<void> {
  for await (const _ of reply);
  answer.destroy();
}

/** Between two bytes the reader's turn comes, so that it receives them one by one. */
async function sendBytes(reply: IncomingMessage, answer: ServerResponse): Promise<void> {
  for await (const part of reply)
    for (const byte of part as Buffer) {
      answer.write(Buffer.of(byte));
      await setImmediate();
    }
  answer.end();
}

/** The failures in which the server behind answers. */
const PASSING: Readonly<Record<string, Pass>> = {
  "cut within": cutWithin,
  "cut at its end": cutAtEnd,
  "in bytes": sendBytes,
  "end lost": cutUnanswered,
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
