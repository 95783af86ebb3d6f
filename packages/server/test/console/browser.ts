export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
};

/** Acts as a browser on the console's page: keeps the cookie and sends the CSRF token. */
export type Browser = {
  readonly send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
  /** Throws if sign-in is refused. */
  readonly signIn: (email: string, password: string) => Promise<void>;
  readonly cookie: () => string | undefined;
  readonly csrf: () => string | undefined;
};

export function createBrowser(url: string): Browser {
  let cookie: string | undefined;
  let csrf: string | undefined;
  const send: Browser["send"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/api/console${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie: `almanac_session=${cookie}` }),
        ...(csrf === undefined ? {} : { "x-csrf-token": csrf }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const set = response.headers.get("set-cookie");
    const value = /^almanac_session=([^;]*)/.exec(set ?? "")?.[1];
    if (value !== undefined) cookie = value === "" ? undefined : value;
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  return {
    send,
    signIn: async (email, password) => {
      const { status, json, text } = await send("POST", "/session", { email, password });
      if (status !== 200) throw new Error(`${status} ${text}`);
      csrf = String(json["csrf_token"]);
    },
    cookie: () => cookie,
    csrf: () => csrf,
  };
}
