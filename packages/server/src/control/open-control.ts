import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { exitCodeOf } from "../cli/command.ts";
import { runInContext, type Output } from "../cli/command-context.ts";
import { renderError, runCommandLine, type AnyCommand } from "../cli/run-command-line.ts";
import { tryLockFolder } from "../records/folder-lock.ts";
import { openOwnFolder } from "../records/own-folder.ts";
import type { OwnerOfJobs } from "./jobs.ts";
import { openSocketPath, storesDigest, commandRequest, type CommandRequest, type Frame } from "./control-socket.ts";

const MAX_BODY_BYTES = 262_144;
const MAX_CALLERS = 64;
/** A caller with this much unread output is disconnected; a job continues without it. */
const MAX_UNREAD_BYTES = 16_777_216;

export type Control = { readonly close: () => Promise<void> };

/**
 * Listens on the control socket of the owner's data folder and runs command lines there. Only this user can access the
 * socket, and anyone who can may do all that the command line can. Undefined if another process listens there.
 */
export async function openControl(owner: OwnerOfJobs, root: AnyCommand): Promise<Control | undefined> {
  const { dataDir } = owner.config;
  openOwnFolder(dataDir);
  const lock = tryLockFolder(join(dataDir, "control.lock"));
  if (lock === undefined) return undefined;
  const { path, release } = openSocketPath(dataDir);
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const server = createServer((request, response) => {
    const work = answer(request, response, { owner, root, closing: closing.signal }).catch(
      () => void response.destroy(),
    );
    running.add(work);
    void work.then(() => running.delete(work));
  });
  server.maxConnections = MAX_CALLERS;
  const free = (): void => {
    release();
    lock.release();
  };
  try {
    // A socket file found here belongs to a killed process, or the lock would be held.
    rmSync(path, { force: true });
    await listen(server, path);
  } catch (error) {
    free();
    throw error;
  }
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      closing.abort(new Error("the service stops"));
      await owner.jobs.close();
      server.closeIdleConnections();
      await Promise.all(running);
      server.closeAllConnections();
      await closed;
      free();
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The socket is created within the call, with a restrictive mode from the start, so no other user can connect
    // first.
    const mask = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

type House = {
  readonly owner: OwnerOfJobs;
  readonly root: AnyCommand;
  /** Aborted when the owner stops: a watching caller must not delay that. */
  readonly closing: AbortSignal;
};

async function answer(request: IncomingMessage, response: ServerResponse, house: House): Promise<void> {
  if (request.method !== "POST" || request.url !== "/commands") return void response.writeHead(404).end();
  const requested = commandRequest.safeParse(await readJson(request));
  if (!requested.success) return void response.writeHead(400).end(requested.error.message);
  if (requested.data.stores !== storesDigest(house.owner.config)) return void response.writeHead(409).end();
  await runCommand(requested.data, response, house);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

async function runCommand(requested: CommandRequest, response: ServerResponse, house: House): Promise<void> {
  const { owner, root, closing } = house;
  const { jobs } = owner;
  const left = new AbortController();
  response.on("close", () => left.abort(new Error("the caller left")));
  response.on("error", () => undefined);
  const send = (frame: Frame): void => {
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    if (!response.destroyed) response.write(`${JSON.stringify(frame)}\n`);
  };
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  let exit: number;
  let job: ReturnType<typeof jobs.begin>;
  try {
    job = jobs.begin(requested.argv);
    send({ job: job?.id ?? null });
    const begun = job;
    const printing = (name: "out" | "err"): Output =>
      printer(name === "err" ? requested.columns : undefined, (text) => {
        if (begun) jobs.print(begun, text);
        send(name === "out" ? { out: text } : { err: text });
      });
    const signal = job?.signal ?? AbortSignal.any([left.signal, closing]);
    const commandContext = {
      out: printing("out"),
      err: printing("err"),
      cwd: requested.cwd,
      actor: requested.actor,
      input: () => Promise.resolve(requested.input ?? ""),
      signal: () => signal,
      owner,
    };
    exit = await runInContext(commandContext, () => runCommandLine(root, requested.argv));
  } catch (error) {
    exit = exitCodeOf(error);
    send({ err: `${renderError(error, requested.argv.includes("--json"))}\n` });
  }
  if (job) jobs.end(job, exit);
  send({ exit });
  response.end();
}

function printer(columns: number | undefined, print: (text: string) => void): Output {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: Buffer | string, _encoding, done) => {
      print(chunk.toString("utf8"));
      done();
    },
  });
  return Object.assign(output, columns === undefined ? {} : { isTTY: true, columns });
}
