import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = { readonly status?: number; readonly body: unknown };

/** A local HTTP venue whose answers are a function of the request; it records every request. */
export async function scriptedVenue(answer: (path: string, query: URLSearchParams) => Answer) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://local");
    requested.push(url.pathname + url.search);
    const { status = 200, body } = answer(url.pathname, url.searchParams);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
