import { defineCommand, runMain } from "citty";

/** Commands are loaded on demand: `generate` imports the column engine, which `serve` does not need. */
const main = defineCommand({
  meta: { name: "exchange", description: "The paper exchanges: Polymarket, Polygon and Kalshi on loopback" },
  subCommands: {
    serve: async () => (await import("./cli/serve-command.ts")).serveCommand,
    faults: async () => (await import("./cli/faults-command.ts")).faultsCommand,
    generate: async () => (await import("./cli/generate-command.ts")).generateCommand,
  },
});

await runMain(main);
