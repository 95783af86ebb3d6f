import type { Happening } from "./contract.ts";

/** Assigns sequence numbers to happenings and passes them to listeners. */
export class Bus {
  last = 0;
  private readonly listeners: Set<(happening: Happening) => void> = new Set();

  get hasListeners(): boolean {
    return this.listeners.size > 0;
  }

  next(): number {
    this.last += 1;
    return this.last;
  }

  on(listener: (happening: Happening) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  emit(happening: Happening): void {
    for (const listener of this.listeners) listener(happening);
  }
}
