import type { RecordsPlace } from "../../src/records/records.ts";
import { findPostgres, startPostgres } from "./start-postgres.ts";
import { tempFolder } from "./temp-folder.ts";

/** Creates empty places for records. */
export type RecordsHost = { readonly newPlace: () => Promise<RecordsPlace>; readonly stop: () => Promise<void> };

/** Every kind of place that can store records; `name` says why one is skipped on this machine. */
export function recordsHosts(): readonly { name: string; isAbsent: boolean; start: () => Promise<RecordsHost> }[] {
  const found = findPostgres();
  const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
  return [
    { name: "embedded", isAbsent: false, start: startEmbedded },
    {
      name: `PostgreSQL${reason}`,
      isAbsent: "reason" in found,
      start: async () => {
        const server = await startPostgres("bin" in found ? found.bin : "");
        return { newPlace: async () => ({ url: await server.newDatabase() }), stop: server.stop };
      },
    },
  ];
}

async function startEmbedded(): Promise<RecordsHost> {
  const folders: ReturnType<typeof tempFolder>[] = [];
  return {
    newPlace: async () => {
      const folder = tempFolder();
      folders.push(folder);
      return { dataDir: folder.path };
    },
    stop: async () => folders.forEach((folder) => folder.remove()),
  };
}
