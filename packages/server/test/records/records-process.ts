import { setTimeout as sleep } from "node:timers/promises";
import { openRecords } from "../../src/records/records.ts";

// Another process that works on the records of a folder. It prints "ready", then what the task says.
const [dataDir = "", task = "", argument = "0"] = process.argv.slice(2);
const records = await openRecords({ dataDir });
process.stdout.write("ready\n");
const streams = records.db;

if (task === "increment") {
  for (let turn = 0; turn < Number(argument); turn += 1) {
    await streams.transaction().execute(async (transaction) => {
      const { rows_stored: before } = await transaction
        .selectFrom("streams")
        .select("rows_stored")
        .where("name", "=", "sum")
        .executeTakeFirstOrThrow();
      await sleep(1);
      await transaction
        .updateTable("streams")
        .set({ rows_stored: before + 1 })
        .where("name", "=", "sum")
        .execute();
    });
  }
} else if (task === "hang") {
  await streams.transaction().execute(async (transaction) => {
    await transaction.insertInto("streams").values({ name: "hanging" }).execute();
    process.stdout.write("hanging\n");
    await sleep(Number(argument));
  });
} else if (task === "write") {
  for (let turn = 0; ; turn += 1) {
    await streams.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("derivations")
        .values({ name: `${argument}_${turn}` })
        .execute();
      await transaction
        .insertInto("notices")
        .values({ stream: `${argument}_${turn}`, kind: "k", text: "t" })
        .execute();
    });
    process.stdout.write(`${argument}_${turn}\n`);
  }
} else {
  await sleep(Number(argument));
}
await records.close();
