/** A machine on which questions, inserts and merges share the cores evenly, as an operating system shares them. */
export type Machine = {
  readonly cores: number;
  /** Simulated seconds; the first tenth is not counted. */
  readonly seconds: number;
  readonly questionsASecond: number;
  readonly questionCpuMs: number;
  /** An insert each second, of so much CPU; as much again is merged with each tenth of them, on so many threads. */
  readonly insertCpuMs: number;
  readonly mergeCpuMs: number;
  readonly mergers: number;
  readonly seed: number;
};

export type Simulated = {
  readonly used: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly mean_ms: number;
  /** Seconds by which the last insert was late: above one, they pile up. */
  readonly insert_lag_s: number;
};

type Job = { left: number; readonly began: number; readonly kind: "question" | "insert" | "merge" };

const INSERTS_A_MERGE = 10;

/** Discrete events: every arrival and every end; between two all jobs go on at min(1, cores / jobs) of a core. */
export function simulate(machine: Machine): Simulated {
  const random = mulberry(machine.seed);
  const exponential = (mean: number): number => -mean * Math.log(1 - random());
  const taken: number[] = [];
  const running: Job[] = [];
  const waiting: Job[] = [];
  const warm = machine.seconds / 10;
  let [now, used, inserts, lag] = [0, 0, 0, 0];
  let nextQuestion = machine.questionsASecond > 0 ? exponential(1 / machine.questionsASecond) : Infinity;
  let nextInsert = machine.insertCpuMs > 0 ? 1 : Infinity;
  const start = (kind: Job["kind"], cpuMs: number): void => {
    const job = { left: cpuMs / 1_000, began: now, kind };
    const merging = running.filter((one) => one.kind === "merge").length;
    if (kind === "merge" && merging >= machine.mergers) waiting.push(job);
    else running.push(job);
  };
  while (now < machine.seconds) {
    const rate = Math.min(1, machine.cores / Math.max(1, running.length));
    const shortest = running.reduce((least, { left }) => Math.min(least, left), Infinity);
    const until = Math.min(now + shortest / rate, nextQuestion, nextInsert, machine.seconds);
    const done = (until - now) * rate;
    used += done * running.length;
    now = until;
    for (const job of running) job.left -= done;
    for (let index = running.length - 1; index >= 0; index -= 1) {
      const job = running[index];
      if (job === undefined || job.left > 1e-9) continue;
      running.splice(index, 1);
      if (job.kind === "question" && job.began >= warm) taken.push((now - job.began) * 1_000);
      if (job.kind === "insert") lag = now - job.began;
      const next = job.kind === "merge" ? waiting.shift() : undefined;
      if (next) running.push(next);
    }
    if (now === nextQuestion) {
      start("question", exponential(machine.questionCpuMs));
      nextQuestion = now + exponential(1 / machine.questionsASecond);
    }
    if (now === nextInsert) {
      start("insert", machine.insertCpuMs);
      inserts += 1;
      if (inserts % INSERTS_A_MERGE === 0) start("merge", machine.mergeCpuMs);
      nextInsert = now + 1;
    }
  }
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    used: used / (machine.cores * machine.seconds),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    mean_ms: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
    insert_lag_s: lag,
  };
}

/** Small, seeded: the same run every time. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
