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

type Failure = "503" | "503 page" | "503 cut" | "cut" | "cut within" | "in bytes" | "end";

export type TestS3 = {
  readonly place: S3Place;
  readonly bucket: string;
  /**
   * Answers the given number of next requests with 503, with a page that is no XML or an error that is cut off, cuts
   * their connections at once or within the answer, or sends each byte of the answer on its own. Or answers the next
   * requests to complete an upload with 200 and an error.
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
  const door = createServer((requested, answer) => {
    requests.push(`${requested.method} ${requested.url?.split("?")[1] ?? ""}`);
    const isEnd = requested.method === "POST" && requested.url?.includes("uploadId=") === true;
    const isFailing = failing.times > 0 && (isEnd || failing.how !== "end");
    const isCutWithin = isFailing && failing.how === "cut within";
    const isInBytes = isFailing && failing.how === "in bytes";
    if (isFailing) failing.times -= 1;
    if (isFailing && !isCutWithin && !isInBytes) {
      if (failing.how === "cut") return void requested.socket.destroy();
      requested.resume();
      if (failing.how === "end") return void answer.end("<Error><Code>InternalError</Code></Error>");
      answer.writeHead(503);
      if (failing.how === "503 cut") return void answer.write("<Error>", () => answer.destroy());
      return void answer.end(failing.how === "503 page" ? "<p>load > 90 % & < 100 %" : "");
    }
    const { method, url, headers } = requested;
    const query = new URL(url ?? "", "http://door").searchParams;
    // The server behind can neither list unfinished uploads nor abort one.
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
      const { "content-length": _length, ...headersWithoutLength } = reply.headers;
      answer.writeHead(reply.statusCode ?? 500, isInBytes ? headersWithoutLength : reply.headers);
      if (isCutWithin)
        reply.once("data", (part: Buffer) => answer.write(part.subarray(0, part.length / 2), () => answer.destroy()));
      else if (isInBytes) void sendBytes(reply, answer);
      else reply.pipe(answer);
    });
    requested.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    door.listen(0, "127.0.0.1", resolve);
  });
  return {
    place: {
      endpoint: `http://127.0.0.1:${portOf(door)}`,
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
      for (const one of [door, inner]) await closed(one);
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
