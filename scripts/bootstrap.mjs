// Runs a TypeScript entry point on a machine that may have nothing but Node >= 18 and npm:
// finds or installs Node 24, installs the packages of package-lock.json when it changed, then hands over.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_VERSION = "24.21.0";
/** Digest of each platform's package as the npm registry lists it: npm refuses any other. */
const PACKAGES = {
  "linux-x64": "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "linux-arm64": "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};

const say = (text) => process.stderr.write(`${text}\n`);

function fail(text) {
  say(`bootstrap: ${text}`);
  process.exit(1);
}

function isRecent(version) {
  const [major = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major >= 24;
}

function run(command, args, cwd, env) {
  const done = spawnSync(command, args, { cwd, env, stdio: ["ignore", 2, 2] });
  if (done.error) fail(`${command} could not be started: ${done.error.message}`);
  if (done.status !== 0) fail(`'${command} ${args.join(" ")}' ended with ${done.status ?? done.signal}`);
}

function findNodeDir() {
  if (isRecent(process.version)) return dirname(process.execPath);
  const platform = `${process.platform}-${process.arch}`;
  const integrity = PACKAGES[platform];
  if (!integrity)
    fail(`Node ${process.version} is too old and no Node 24 package is known for ${platform}; install Node >= 24`);
  const name = `node-${platform}`;
  const folder = join(root, ".tools", "node");
  const bin = join(folder, "node_modules", name, "bin");
  if (!existsSync(join(bin, "node"))) {
    say(`Node ${process.version} found; fetching Node ${NODE_VERSION} into .tools/ (needed once)`);
    mkdirSync(folder, { recursive: true });
    const dependencies = { [name]: NODE_VERSION };
    const packages = { "": { dependencies }, [`node_modules/${name}`]: { version: NODE_VERSION, integrity } };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
    run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], folder, process.env);
  }
  return bin;
}

function installDependencies(env) {
  const lock = readFileSync(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).digest("hex");
  const stampFile = join(root, "node_modules", ".almanac-lock");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  say("installing dependencies (npm ci)");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], root, env);
  writeFileSync(stampFile, stamp);
}

const [entry, ...rest] = process.argv.slice(2);
if (!entry) fail("say which file to run");
const nodeDir = findNodeDir();
const env = {
  // Compiling the sources is most of a command's start-up, and a test run has hundreds of commands.
  NODE_COMPILE_CACHE: join(root, ".tools", "compile-cache"),
  ...process.env,
  PATH: `${nodeDir}:${process.env.PATH ?? ""}`,
};
installDependencies(env);
const isBinary = entry === "--bin";
const command = isBinary ? join(root, "node_modules", ".bin", rest.shift() ?? "") : join(nodeDir, "node");
const args = isBinary ? rest : ["--disable-warning=ExperimentalWarning", join(root, entry), ...rest];
const child = spawn(command, args, { cwd: process.env.INIT_CWD ?? root, env, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => fail(error.message));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
