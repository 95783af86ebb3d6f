import type { World } from "../../world/world.ts";
import { eventOf, type JetstreamEvent } from "./jetstream-event.ts";
import { strangerEvent } from "./stranger-event.ts";

/** How much of the past can be replayed, world time. */
const KEPT_US = 24 * 3_600_000_000;
const MOST_EVENTS = 2_000_000;
/** Old events are let go when so many have come together. */
const STALE = 5000;

/** What the log needs of the world. */
export type TalkingWorld = Pick<World, "talk" | "reached" | "seed">;

/** The events of the last day, oldest first, `time_us` strictly rising. Places count from the first event ever kept. */
export class EventLog {
  private readonly world: TalkingWorld;
  private readonly events: JetstreamEvent[] = [];
  private first = 0;
  private taken: number;
  private strangers = 0;

  constructor(world: TalkingWorld) {
    this.world = world;
    this.taken = lowerBound(world.talk.length, (place) => (world.talk[place]?.us ?? 0) < this.oldest());
  }

  /** Place after the newest event. */
  get end(): number {
    return this.first + this.events.length;
  }

  /** The event at a place; undefined where there is none any more or yet. */
  at(place: number): JetstreamEvent | undefined {
    return this.events[place - this.first];
  }

  /** Place of the first event at or after a moment; of the oldest one kept where that is later. */
  placeOf(us: number): number {
    const from = Math.max(us, this.oldest());
    return this.first + lowerBound(this.events.length, (place) => (this.events[place]?.time_us ?? 0) < from);
  }

  /** The oldest place that is kept. */
  get start(): number {
    return this.first;
  }

  /** Takes on what has happened since. */
  take(): void {
    const { talk } = this.world;
    for (; this.taken < talk.length; this.taken += 1) {
      const happening = talk[this.taken];
      const event = happening && eventOf(happening, Math.max(happening.us, this.next()));
      if (event !== undefined) this.events.push(event);
    }
    this.forget();
  }

  /** Lets somebody outside the world do something, after all that has happened and before all that will. */
  addStranger(): void {
    this.take();
    const us = Math.max(this.world.reached() * 1000 + 1, this.next());
    this.events.push(strangerEvent(this.world.seed, this.strangers, us));
    this.strangers += 1;
  }

  private next(): number {
    return (this.events.at(-1)?.time_us ?? 0) + 1;
  }

  private oldest(): number {
    return this.world.reached() * 1000 - KEPT_US;
  }

  private forget(): void {
    const oldest = this.oldest();
    const old = lowerBound(this.events.length, (place) => (this.events[place]?.time_us ?? 0) < oldest);
    const many = Math.max(old, this.events.length - MOST_EVENTS);
    if (many < STALE) return;
    this.events.splice(0, many);
    this.first += many;
  }
}

/** First of `length` places for which `isBefore` no longer holds. */
function lowerBound(length: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
