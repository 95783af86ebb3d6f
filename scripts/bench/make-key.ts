import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));

/** A key whose plan lets a benchmark through. */
export async function makeKey(env: NodeJS.ProcessEnv): Promise<string> {
  const email = `bench-${Date.now()}@almanac.invalid`;
  await almanac(
    ["plan", "edit", "enterprise", "--requests-per-minute", "1000000", "--burst", "1000000", "--json"],
    env,
  );
  await almanac(["account", "create", "--name", "bench", "--email", email, "--plan", "enterprise", "--json"], env);
  const made = JSON.parse(await almanac(["key", "create", "--account", email, "--name", "bench", "--json"], env)) as {
    key: string;
  };
  return made.key;
}

function almanac(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`almanac ${args.join(" ")} ended with ${code}`)),
    );
  });
}
