import { connect } from "node:net";
import type { Finding } from "./finding.ts";

const WAIT_MS = 5000;
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "wss:": 443, "http:": 80, "ws:": 80 };

/** Whether the hosts of addresses (setting → address) take connections; what is no address is left out. */
export async function checkUpstreams(upstream: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const addresses = Object.entries(upstream).filter(
    ([, value]) => URL.canParse(value) && new URL(value).protocol in PORTS,
  );
  return await Promise.all(addresses.map(([setting, value]) => checkAddress(setting, new URL(value))));
}

async function checkAddress(setting: string, { hostname, port, protocol }: URL): Promise<Finding> {
  const at = { host: hostname.replaceAll(/[[\]]/g, ""), port: port === "" ? (PORTS[protocol] ?? 443) : Number(port) };
  const began = performance.now();
  const problem = await tryToConnect(at);
  const where = `${at.host}:${at.port}`;
  if (problem === undefined)
    return {
      check: setting,
      state: "ok",
      says: `${where} took a connection in ${Math.round(performance.now() - began)} ms`,
    };
  return {
    check: setting,
    state: "fail",
    says: `${where} cannot be reached (${problem}): check the network, or switch its streams off (STREAMS_OFF)`,
  };
}

function tryToConnect(at: { readonly host: string; readonly port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(at);
    const end = (problem?: string): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(WAIT_MS, () => end(`no answer within ${WAIT_MS / 1000} s`));
    socket.once("connect", () => end());
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
