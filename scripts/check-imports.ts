// The import rule: which folders may import which in packages/server/src, and between packages.
import { readFileSync, globSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "packages/server/src");

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  definition: [],
  tables: ["definition"],
  connectors: ["definition", "tables"],
  derivations: ["definition", "tables"],
  datasets: ["definition", "tables", "derivations"],
  "catalogue.ts": ["definition", "tables", "connectors", "derivations", "datasets"],
  store: ["definition"],
  records: ["definition"],
  ordered: ["definition"],
  serving: ["definition", "store", "ordered"],
  ingest: ["definition", "store", "records", "ordered"],
  access: ["definition", "records"],
  query: ["definition", "store", "serving", "access"],
  http: ["definition", "query", "access"],
  cli: ["definition", "records", "access", "config.ts", "settings.ts", "setting.ts", "log.ts"],
  control: ["definition", "records", "cli", "config.ts"],
  "config.ts": ["setting.ts", "settings.ts"],
  "settings.ts": ["setting.ts"],
};

const ADVICE: Readonly<Record<string, string>> = {
  store: "content never meets the engine: a dataset or connector is a value, ingest/ and query/ carry it to the store",
  ingest: "timers, retries and the store belong to ingest/, which is handed its connectors by main",
  connectors: "machinery meets content as values from catalogue.ts, handed over by main",
  datasets: "machinery meets content as values from catalogue.ts, handed over by main",
  tables: "a value that names a table is handed over with the dataset or connector that uses it",
  main: "nothing imports main; pass what is needed as an argument",
};

const DEFINITION_PACKAGES = new Set(["zod"]);
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

const TYPES_OF_SERVER = /^\s*import type \{[^}]*\} from "(?:\.\.\/)+server\/src\//;

const roomOf = (file: string): string => {
  const path = relative(source, file);
  return path.includes("/") ? (path.split("/")[0] ?? path) : path;
};

function problemsOf(file: string): string[] {
  const room = roomOf(file);
  const isMain = room === "main.ts" || room === "main";
  const text = readFileSync(file, "utf8");
  const problems: string[] = [];
  for (const match of text.matchAll(IMPORT)) {
    const target = match[1] ?? match[2] ?? "";
    if (!target.startsWith(".")) {
      if (room === "definition" && !target.startsWith("node:") && !DEFINITION_PACKAGES.has(target))
        problems.push(`definition imports ${target}: it may import zod and nothing else`);
      continue;
    }
    const to = resolve(dirname(file), target);
    if (!to.startsWith(source)) {
      problems.push(`leaves its package: ${target}`);
      continue;
    }
    const other = roomOf(to);
    if (other === room || isMain) continue;
    if (!(ALLOWED[room] ?? []).includes(other))
      problems.push(
        `${room} may not import ${other}: ${ADVICE[other] ?? `it may import ${(ALLOWED[room] ?? []).join(", ") || "nothing"}`}`,
      );
  }
  return problems.map((problem) => `${relative(root, file)}: ${problem}`);
}

function packageProblems(): string[] {
  const problems: string[] = [];
  for (const [folder, forbidden] of [
    ["exchange", /@almanac\/|packages\/server/],
    ["client", /@almanac\/(server|exchange|dashboard)/],
    ["dashboard", /@almanac\/(server|exchange)|\/(server|exchange)\/src/],
  ] as const) {
    for (const file of globSync(`packages/${folder}/src/**/*.{ts,tsx}`, { cwd: root })) {
      for (const match of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
        // The dashboard shares the server's response types; type imports do not enter the bundle.
        if (folder === "dashboard" && TYPES_OF_SERVER.test(match[0])) continue;
        if (forbidden.test(match[1] ?? match[2] ?? ""))
          problems.push(`${file}: ${folder} may not import ${match[1] ?? match[2]}`);
      }
    }
  }
  return problems;
}

const files = globSync("**/*.{ts,cjs}", { cwd: source }).map((file) => join(source, file));
const problems = [...files.flatMap(problemsOf), ...packageProblems()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.error(`import rule: ${files.length} files, no problem`);
