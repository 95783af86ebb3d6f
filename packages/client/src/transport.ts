const PATH = "/api/v2/semantic/retrieve/parameterized";

/** Carries one question to the service. Rejects only where no answer came. */
export type Transport = (body: string, signal: AbortSignal) => Promise<Response>;

/** To the service's endpoint, with an API key. */
export function keyTransport(baseUrl: string, key: string, fetchIt: typeof fetch): Transport {
  const url = baseUrl.replace(/\/+$/, "") + PATH;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (body, signal) => fetchIt(url, { method: "POST", headers, body, signal, redirect: "error" });
}
