import { createServer } from "node:net";
import type { Config } from "../config.ts";

type Reserved = {
  readonly port: number;
  /** To be called right before something else listens on the port. */
  readonly release: () => Promise<void>;
};

/** Answers and documentation name the address of the service, and so its port. */
export const atPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  publicUrl: config.publicUrl.replace(/:0$/, `:${port}`),
});

/** Holds a free port of an address, so that its number is known before the service listens there. */
export async function reservePort(host: string): Promise<Reserved> {
  const server = createServer().unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError(`no port of ${host}`);
  return { port: address.port, release: () => new Promise((resolve) => void server.close(() => resolve())) };
}
