import { request } from "undici";

const PATIENCE_MS = 3_000;

/** Whether anything answers over HTTP there, be it a refusal. */
export async function doesAnswer(url: string): Promise<boolean> {
  try {
    const response = await request(url, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE_MS), reset: true });
    await response.body.dump();
    return true;
  } catch {
    return false;
  }
}
