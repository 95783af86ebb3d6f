// The engine as a process of its own: the library's server code listens on loopback until standard input ends,
// which happens at the latest when the parent is gone.
const { open, load, DataType } = require("ffi-rs");

const [library, config, path, port, tcpPort] = process.argv.slice(2);
const LISTEN_UNTIL_STDIN_ENDS = `${tcpPort ? "SYSTEM START LISTEN TCP; " : ""}SYSTEM START LISTEN HTTP; SELECT count() FROM file('-', 'LineAsString', 'l String') FORMAT Null`;
const args = [
  "clickhouse",
  "--config-file",
  config,
  "--path",
  path,
  "--listen_host",
  "127.0.0.1",
  "--http_port",
  port,
  ...(tcpPort ? ["--tcp_port", tcpPort] : []),
  "--log-level",
  "warning",
  "--query",
  LISTEN_UNTIL_STDIN_ENDS,
];
open({ library: "chdb", path: library });
load({
  library: "chdb",
  funcName: "chdb_query_cmdline",
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
});
