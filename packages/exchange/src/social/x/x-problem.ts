/** An X API error response. */
export class XProblem extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(`X answers ${status}`);
    this.name = "XProblem";
    this.status = status;
    this.body = body;
  }
}

/** The 400 for an invalid parameter. */
export function invalid(parameter: string, value: string, message: string): XProblem {
  return new XProblem(400, {
    errors: [{ parameters: { [parameter]: [value] }, message }],
    title: "Invalid Request",
    detail: "One or more parameters to your request was invalid.",
    type: "https://api.twitter.com/2/problems/invalid-request",
  });
}

/** Errors such as 401, 404 and 429, whose body contains only their name. */
export function plain(status: number, title: string): XProblem {
  return new XProblem(status, { title, detail: title, type: "about:blank", status });
}
