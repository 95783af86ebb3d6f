/** What X answers with when it does not answer. */
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

/** The 400 for a parameter that cannot be used. */
export function invalid(parameter: string, value: string, message: string): XProblem {
  return new XProblem(400, {
    errors: [{ parameters: { [parameter]: [value] }, message }],
    title: "Invalid Request",
    detail: "One or more parameters to your request was invalid.",
    type: "https://api.twitter.com/2/problems/invalid-request",
  });
}

/** 401, 404, 429 and the like, which say no more than their name. */
export function plain(status: number, title: string): XProblem {
  return new XProblem(status, { title, detail: title, type: "about:blank", status });
}
