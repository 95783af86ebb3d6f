import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeXml } from "../../src/store/embedded/engine-config.ts";
import { hasEnded, launchEngine } from "../../src/store/embedded/launch-engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { REPOSITORY } from "./repository.ts";

const ENVIRONMENT: Readonly<Record<string, string>> = {
  SHARD: "1",
  REPLICA: "clickhouse-1-1",
  CLICKHOUSE_PASSWORD: "abc",
  CLICKHOUSE_CLUSTER_SECRET: "def",
};
/** The default user of the engine's own session, which the image defines separately. */
const STARTER =
  "<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>";

/** The content of a file of deploy/compose/clickhouse, with values from the environment filled in. */
function inside(file: string): string {
  const text = readFileSync(join(REPOSITORY, "deploy/compose/clickhouse", file), "utf8");
  const filled = text.replaceAll(/<(\w+) from_env="(\w+)"\/>/g, (_all, tag: string, name: string) => {
    return `<${tag}>${ENVIRONMENT[name] ?? `no ${name}`}</${tag}>`;
  });
  return filled.replace("<clickhouse>", "").replace("</clickhouse>", "");
}

// This build has no interserver port, no endpoint for Prometheus, and takes its ports from the command line.
const NOT_HERE = /<(?:listen_host|http_port|tcp_port|interserver_http_port)>.*\n|<prometheus>[^]*<\/prometheus>/g;

describe("ClickHouse configuration in deploy/compose, read by the embedded build of ClickHouse 26.7", () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-clickhouse-"));
  let url = "";
  let engine: Awaited<ReturnType<typeof launchEngine>> | undefined;
  beforeAll(async () => {
    const usersFile = join(folder, "users.xml");
    const more = inside("common.xml").replaceAll(NOT_HERE, "");
    const sizes = { memoryBytes: 1_000_000_000, cacheBytes: 8_388_608, mergers: 2 };
    const users = inside("users.xml")
      .replace("<profiles>", "<profiles><default/>")
      .replace('<default remove="1"/>', STARTER);
    writeFileSync(usersFile, `<clickhouse><quotas><default/></quotas>${users}</clickhouse>`);
    writeFileSync(
      join(folder, "node.xml"),
      nodeXml({ password: "", usersFile, logFile: join(folder, "log"), ...sizes, more }),
    );
    url = `http://127.0.0.1:${await freePort()}`;
    engine = await launchEngine({
      configFile: join(folder, "node.xml"),
      columns: join(folder, "columns"),
      address: { url, user: "almanac", password: "abc", database: "default" },
      tcpPort: await freePort(),
    });
  });
  afterAll(async () => {
    if (engine !== undefined && !hasEnded(engine)) {
      const ended = new Promise((resolve) => engine?.once("exit", resolve));
      engine.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const ask = async (statement: string) => {
    const reply = await fetch(`${url}/?user=almanac&password=abc`, { method: "POST", body: statement });
    return { status: reply.status, text: (await reply.text()).trim() };
  };

  test("defines two shards of two replicas, and which of them this node is", async () => {
    const nodes = await ask("SELECT shard_num, replica_num, host_name FROM system.clusters WHERE cluster = 'almanac'");
    expect(nodes.text.split("\n")).toEqual([
      "1\t1\tclickhouse-1-1",
      "1\t2\tclickhouse-1-2",
      "2\t1\tclickhouse-2-1",
      "2\t2\tclickhouse-2-2",
    ]);
    expect((await ask("SELECT getMacro('shard'), getMacro('replica')")).text).toBe("1\tclickhouse-1-1");
    const settings = "SELECT getSetting('use_hedged_requests'), getSetting('use_statistics')";
    expect((await ask(settings)).text).toBe("false\tfalse");
  });

  test("grants its user what the service needs, and nothing in other databases", async () => {
    for (const statement of [
      "CREATE DATABASE almanac",
      "CREATE DATABASE almanac_shard",
      "CREATE TABLE almanac_shard.t (a UInt8) ENGINE = MergeTree ORDER BY a",
      "CREATE TABLE almanac.t (a UInt8) ENGINE = Distributed('almanac', 'almanac_shard', 't', a)",
      "CREATE TABLE almanac.staged (a UInt8) ENGINE = Memory",
      "INSERT INTO almanac_shard.t VALUES (1)",
      "CREATE DICTIONARY almanac.d (a UInt64) PRIMARY KEY a SOURCE(CLICKHOUSE(TABLE 't' DB 'almanac_shard')) LAYOUT(FLAT()) LIFETIME(0)",
      "SYSTEM RELOAD DICTIONARY almanac.d",
      "ALTER TABLE almanac_shard.t DELETE WHERE a = 1",
      "SELECT count() FROM system.parts",
      "KILL QUERY WHERE query_id = 'none'",
      "DROP TABLE almanac.staged SYNC",
    ]) {
      expect(await ask(statement), statement).toMatchObject({ status: 200 });
    }
    await ask("CREATE DATABASE other");
    expect((await ask("CREATE TABLE other.t (a UInt8) ENGINE = Memory")).text).toContain("Not enough privileges");
  });
});
