const PATH = "/api/v2/semantic/retrieve/parameterized";

/** Sends one request body to the service. Rejects only if there was no response. */
export type Transport = (body: string, signal: AbortSignal) => Promise<Response>;

/** Creates a transport to the service's endpoint, with an API key. */
export function keyTransport(baseUrl: string, key: string, fetchIt: typeof fetch): Transport {
  const url = baseUrl.replace(/\/+$/, "") + PATH;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (body, signal) => fetchIt(url, { method: "POST", headers, body, signal, redirect: "error" });
}
