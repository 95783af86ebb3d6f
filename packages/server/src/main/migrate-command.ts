import { command } from "../cli/command.ts";
import { commandConfig, commandEngines } from "./command-engines.ts";

export const migrateCommand = command({
  name: "migrate",
  description: "Migrate the store and the control records to this program's schema",
  run: async (_args, print) => {
    const engines = await commandEngines(commandConfig());
    await engines.close();
    const applied = engines.migrated;
    const text = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
    print({ value: { applied }, text });
  },
});
