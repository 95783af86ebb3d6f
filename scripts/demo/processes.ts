import { spawn, type ChildProcess } from "node:child_process";

type Json = Record<string, unknown>;

/** How long a process may take to stop by itself. */
const STOP_MS = 15_000;

/** The processes of a demo, started from the repository's root with this Node. */
export class Processes {
  readonly #root: string;
  readonly #ended: (code: number) => void;
  readonly #children: ChildProcess[] = [];

  /** `ended` hears of a process that ended by itself. */
  constructor(root: string, ended: (code: number) => void) {
    this.#root = root;
    this.#ended = ended;
  }

  /** Starts one that runs on; its first line of standard output, as JSON. */
  start(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
    const child = spawn(process.execPath, args, { cwd: this.#root, env, stdio: ["ignore", "pipe", "inherit"] });
    this.#children.push(child);
    return new Promise((resolve, reject) => {
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))) as Record<string, string>);
      });
      child.once("error", reject);
      child.once("exit", (code) => {
        reject(new Error(`${name} ended with ${code}`));
        this.#ended(code ?? 1);
      });
    });
  }

  /** Runs one to its end; what it printed, as JSON. */
  once(args: readonly string[], env: NodeJS.ProcessEnv, input: string = ""): Promise<Json> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd: this.#root, env, stdio: ["pipe", "pipe", "pipe"] });
      let [text, told] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
      child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString("utf8")));
      child.once("error", reject);
      child.once("close", (code) =>
        code === 0
          ? resolve(JSON.parse(text) as Json)
          : reject(new Error(`${args.slice(1, 3).join(" ")} ended with ${code}: ${told.trim()}`)),
      );
      child.stdin.end(input);
    });
  }

  /** Ends all of them, last started first; resolves when they are gone. */
  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
      child.kill("SIGKILL");
    }
  }
}
