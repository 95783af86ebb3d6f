import { expect, test } from "vitest";
import { createArrivalQueue, type Arrival } from "../../src/ingest/socket/park-arrival.ts";

const frame = (chars: number): Arrival => ({ kind: "frame", text: "x".repeat(chars), receivedMs: 0 });

test("bounds the frames waiting on all sockets of a stream together, and taking frames makes room", () => {
  const bounds = { maxFrames: 100, maxChars: 1000, waiting: { chars: 0 } };
  const [one, other, third] = [1, 2, 3].map(() => createArrivalQueue(bounds));
  expect(one?.offer(frame(500))).toBe(true);
  expect(other?.offer(frame(200))).toBe(true);
  expect(one?.isFull()).toBe(true);
  expect(other?.offer(frame(1))).toBe(false);
  expect(other?.isClosed()).toBe(true);
  expect(one?.take(10)).toHaveLength(1);
  expect(third?.offer(frame(1))).toBe(true);
  expect(other?.take(10)).toHaveLength(1);
  expect(third?.take(10)).toHaveLength(1);
  expect(bounds.waiting.chars).toBe(0);
});

test("one socket queues at most its maximum number of frames", () => {
  const queue = createArrivalQueue({ maxFrames: 2, maxChars: 10_000, waiting: { chars: 0 } });
  expect([1, 2, 3].map(() => queue.offer(frame(1)))).toEqual([true, true, false]);
  expect(queue.size()).toBe(2);
});
