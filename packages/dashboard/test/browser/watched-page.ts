import type { BrowserContext, Page } from "playwright-core";
import { openPage } from "../../../../scripts/browser/settle.ts";

/** A page that records everything that must not happen on it. */
export type WatchedPage = {
  readonly page: Page;
  /** Answers of 400 and more that the test provokes; others are problems. */
  readonly expect: (...statuses: number[]) => void;
  /** Describes the problems since the last call, and clears the expected statuses. */
  readonly problems: () => Promise<string[]>;
};

/** Chrome logs this for every answer of 400 and more; they are judged by their status instead. */
const FAILED_RESOURCE = /^Failed to load resource: the server responded with a status/;

/** Opens a page that is watched for console errors, exceptions, dialogs, policy violations and other origins. */
export async function openWatchedPage(context: BrowserContext, origin: string): Promise<WatchedPage> {
  const page = await openPage(context);
  const problems: string[] = [];
  const answers: Promise<void>[] = [];
  const expected = new Set<number>();
  const isOurs = (url: string): boolean => /^(?:data|blob|about):/.test(url) || new URL(url).origin === origin;
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI} ${event.sample}`);
    });
  });
  page.on("console", (message) => {
    const isBad = message.type() === "error" || message.type() === "warning";
    if (message.text().includes("React DevTools")) problems.push("a development build is served");
    if (isBad && !FAILED_RESOURCE.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => problems.push(`popup: ${popup.url()}`));
  page.on("request", (request) => {
    if (!isOurs(request.url())) problems.push(`another origin: ${request.url()}`);
  });
  page.on("response", (response) => {
    const { pathname: path, search } = new URL(response.url());
    // Without a session yet, the dashboard sends this request to find out.
    const isAsking = path === "/api/console/session" && response.request().method() === "GET";
    const status = response.status();
    if (status < 400 || expected.has(status) || (isAsking && status === 401)) return;
    const what = `${status} from ${response.request().method()} ${path}${search}`;
    answers.push(
      response.text().then(
        (text) => void problems.push(`${what}: ${text}`),
        () => void problems.push(what),
      ),
    );
  });
  return {
    page,
    expect: (...statuses) => {
      for (const status of statuses) expected.add(status);
    },
    problems: async () => {
      const pwned = await page.evaluate(() => "__pwned" in globalThis).catch(() => false);
      expected.clear();
      await Promise.all(answers.splice(0));
      return [...problems.splice(0), ...(pwned ? ["a text of somebody else was run as a script"] : [])];
    },
  };
}
