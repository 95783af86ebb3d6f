import { setTimeout as sleep } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { sql } from "kysely";
import { openRecords } from "../../src/records/records.ts";

// Another process that works on the records of a folder. It prints "ready", then the output of its task.
const [dataDir = "", task = "", argument = "0"] = process.argv.slice(2);
const records = await openRecords({ dataDir });
process.stdout.write("ready\n");

if (task === "list") {
  for (const { name } of await records.db.selectFrom("streams").select("name").execute())
    process.stdout.write(`${name}\n`);
} else if (task === "write") {
  for (let turn = 0; ; turn += 1) {
    await records.db.transaction().execute(async (transaction) => {
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
} else if (task === "parse") {
  for (let number = 0; number < Number(argument); number += 1)
    await sql`select ${sql.raw(String(number))}`.execute(records.db);
  process.stdout.write(`${getHeapStatistics().peak_malloced_memory}\n`);
} else {
  await sleep(Number(argument));
}
await records.close();
