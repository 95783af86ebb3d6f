import { readConfig } from "../../src/config.ts";
import { createJobs } from "../../src/control/jobs.ts";
import { openControl } from "../../src/control/open-control.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { testRoot } from "./test-root.ts";

export type TestOwner = { readonly records: Records; readonly close: () => Promise<void> };

/** The parts of a running service that the command line uses: the open control records and a control socket. */
export async function openOwner(dataDir: string): Promise<TestOwner> {
  const config = readConfig({ ALMANAC_DATA_DIR: dataDir });
  const records = await openRecords({ dataDir });
  const control = await openControl({ config, records, jobs: createJobs(Date.now) }, testRoot);
  return {
    records,
    close: async () => {
      await control?.close();
      await records.close();
    },
  };
}
