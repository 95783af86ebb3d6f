import { defineCommand } from "citty";
import { SingleBar } from "cli-progress";
import { generate, type GenerateOptions, type GenerateReport } from "../generate/generate.ts";
import { failPlainly, readNumber, requireKnown } from "./command-line.ts";

const FLAGS = {
  fills: { type: "string", required: true, description: "At least so many fills", valueHint: "N" },
  out: { type: "string", required: true, description: "Folder to write into; what was generated there is replaced" },
  seed: { type: "string", default: "7", description: "Seed of the world", valueHint: "N" },
  days: { type: "string", default: "200", description: "Days that the fills spread over", valueHint: "N" },
  wallets: { type: "string", description: "About so many wallets; default by the number of fills", valueHint: "N" },
  json: { type: "boolean", default: false, description: "Print the figures as one line of JSON" },
} as const;

/**
 * `exchange generate`: writes a world directly to Parquet files. The progress bar goes to standard error, the totals to
 * standard output.
 */
export const generateCommand = defineCommand({
  meta: { name: "generate", description: "Write a world to Parquet files, for benchmarks and accuracy tests" },
  args: FLAGS,
  run: ({ args, rawArgs }) =>
    failPlainly(async () => {
      requireKnown(rawArgs, FLAGS);
      const target = readNumber("fills", args.fills, { min: 1, max: 1_000_000_000 });
      const seed = readNumber("seed", args.seed, { min: 0, max: 2 ** 32 - 1 });
      const days = readNumber("days", args.days, { min: 1, max: 10_000 });
      const wallets =
        args.wallets === undefined ? undefined : readNumber("wallets", args.wallets, { min: 800, max: 1_000_000 });
      const report = await withBar({ fills: target, out: args.out, seed, days, wallets });
      process.stdout.write(args.json ? `${JSON.stringify(report)}\n` : table(report));
    }),
});

/** Shows no bar without a terminal, where cli-progress prints either nothing or one line per change. */
async function withBar(options: GenerateOptions): Promise<GenerateReport> {
  if (!process.stderr.isTTY) return generate(options);
  const { fills } = options;
  const bar = new SingleBar({
    format: "{phase} [{bar}] {percentage}% | {value}/{total} fills | {rows} rows written | {eta_formatted} left",
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(fills, 0, { phase: "fills", rows: 0 });
  try {
    return await generate({
      ...options,
      onProgress: (progress) => {
        bar.update(Math.min(progress.fills, fills), { phase: progress.phase, rows: progress.rows_written });
      },
    });
  } finally {
    bar.stop();
  }
}

function table(report: GenerateReport): string {
  const { rows, ...figures } = report;
  const entries = [...Object.entries(figures), ...Object.entries(rows).map(([name, count]) => [`rows ${name}`, count])];
  return `${entries.map(([name, value]) => `${String(name).padEnd(24)} ${value}`).join("\n")}\n`;
}
