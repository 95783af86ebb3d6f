import { request, type IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { CommandError, exitCodeOf } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { allowClosedPipe, renderError } from "../cli/run-command-line.ts";
import { ConfigError, readConfig, type Config } from "../config.ts";
import { checkOwnFolder } from "../records/own-folder.ts";
import { openSocketPath, storesDigest, type CommandRequest, type Frame } from "./control-socket.ts";

/** Commands that open no stores, or are the owner. */
const ALONE = new Set(["serve", "config"]);
const INTERRUPTED = 130;
const NOBODY = new Set(["ENOENT", "ECONNREFUSED", "ENOTDIR"]);

/**
 * Runs a command line in the process that owns the data folder and shows its output; resolves to its exit code.
 * Undefined if no process owns the folder, or the settings name other stores than the owner's: the command then opens
 * them itself. Ctrl-C detaches from a job and ends any other command.
 */
export async function askOwner(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number | undefined> {
  if (argv.length === 0 || ALONE.has(argv[0] ?? "") || argv.includes("--help") || argv.includes("-h")) return undefined;
  const config = configOf(environment);
  if (config === undefined) return undefined;
  try {
    return await runThere(argv, config);
  } catch (error) {
    commandContext().err.write(`${renderError(error, argv.includes("--json"))}\n`);
    return exitCodeOf(error);
  }
}

async function runThere(argv: readonly string[], config: Config): Promise<number | undefined> {
  const { out, err, cwd, actor, input } = commandContext();
  allowClosedPipe(out);
  const requested: CommandRequest = {
    stores: storesDigest(config),
    argv: [...argv],
    cwd,
    actor,
    ...(err.isTTY === true ? { columns: err.columns ?? 80 } : {}),
    ...(argv.includes("--password-stdin") && (await isOwned(config)) ? { input: await input() } : {}),
  };
  const response = await send(config, requested);
  if (response === undefined || response.statusCode === 409) return void response?.resume();
  if (response.statusCode !== 200)
    throw new CommandError(
      1,
      `the service does not accept the command (${response.statusCode}): is it another version?`,
    );
  const lines = createInterface({ input: response });
  // A response that breaks off has no last line and emits no end event, so the reader must be closed here.
  response.on("error", () => undefined).once("close", () => lines.close());
  let job: number | null = null;
  let exit: number | undefined;
  const leave = (): void => {
    if (job !== null)
      err.write(`\nit continues in the service as job ${job}: almanac job show ${job}, or almanac job stop ${job}\n`);
    exit = job === null ? INTERRUPTED : 0;
    response.destroy();
  };
  /** Nobody reads the output any more: a job continues, anything else, such as a watching command, ends. */
  const unread = (): void => {
    if (job !== null) return;
    exit = 0;
    response.destroy();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, leave);
  try {
    for await (const line of lines) {
      const frame = JSON.parse(line) as Frame;
      if ("out" in frame && out.writable) out.write(frame.out);
      else if ("out" in frame) unread();
      else if ("err" in frame) err.write(frame.err);
      else if ("job" in frame) ({ job } = frame);
      else ({ exit } = frame);
    }
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, leave);
  }
  if (exit === undefined) throw new CommandError(1, "the service ended before the command did");
  return exit;
}

/** Undefined for invalid settings, which the command itself reports. */
function configOf(environment: NodeJS.ProcessEnv): Config | undefined {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** Standard input can be read only once, so first check that an owner will receive it. */
async function isOwned(config: Config): Promise<boolean> {
  const response = await send(config, undefined);
  response?.resume();
  return response !== undefined;
}

/** Undefined if the folder does not exist yet. Throws for a folder in which another user could listen. */
function findSocket(dataDir: string): ReturnType<typeof openSocketPath> | undefined {
  try {
    checkOwnFolder(dataDir);
    return openSocketPath(dataDir);
  } catch (error) {
    if (NOBODY.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Undefined if no process listens. */
function send({ dataDir }: Config, body: CommandRequest | undefined): Promise<IncomingMessage | undefined> {
  const place = findSocket(dataDir);
  if (place === undefined) return Promise.resolve(undefined);
  const { path, release } = place;
  return new Promise<IncomingMessage | undefined>((resolve, reject) => {
    const sent = request({ socketPath: path, method: body === undefined ? "GET" : "POST", path: "/commands" }, resolve);
    sent.on("error", (error: NodeJS.ErrnoException) =>
      NOBODY.has(error.code ?? "") ? resolve(undefined) : reject(new CommandError(1, cannotReach(dataDir, error))),
    );
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  }).finally(release);
}

const cannotReach = (dataDir: string, { message }: Error): string =>
  `a service has ${dataDir} open and its control socket cannot be used (${message}): run the command as the service's user`;
