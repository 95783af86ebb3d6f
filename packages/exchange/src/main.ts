import { defineCommand, runMain } from "citty";

/** Commands are loaded when they are asked for: generating brings the column engine, serving does not need it. */
const main = defineCommand({
  meta: { name: "exchange", description: "The paper exchanges: Polymarket, Polygon and Kalshi on loopback" },
  subCommands: {
    serve: async () => (await import("./cli/serve-command.ts")).serveCommand,
    faults: async () => (await import("./cli/faults-command.ts")).faultsCommand,
    generate: async () => (await import("./cli/generate-command.ts")).generateCommand,
  },
});

await runMain(main);
