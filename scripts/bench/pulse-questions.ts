import type { BenchQuestion } from "./questions.ts";

/** Another hour each time, so that no answer is the one before. */
const hour = (turn: number): string => new Date(Date.now() - (turn % 40) * 900_000).toISOString();
const MARKET = `0x${"0".repeat(62)}01`;

/** Made-up posts say w1 … w60000, the lower the more often, "hockey" in one of 400 and "stanley cup" in one of 2000. */
export const pulseQuestions: readonly BenchQuestion[] = [
  {
    name: "585 three keywords, 12 h",
    agentId: 585,
    params: (turn) => ({ keywords: "{NHL,hockey,Stanley Cup}", as_of: hour(turn) }),
    limit: 200,
  },
  {
    name: "585 three keywords, 3 days",
    agentId: 585,
    params: (turn) => ({ keywords: "{NHL,hockey,Stanley Cup}", hours_back: "72", as_of: hour(turn) }),
    limit: 200,
  },
  {
    name: "585 a rare word, 12 h",
    agentId: 585,
    params: (turn) => ({ keywords: `w${20_000 + (turn % 30_000)}`, as_of: hour(turn) }),
    limit: 200,
  },
  {
    name: "585 a word of every sixth, 12 h",
    agentId: 585,
    params: (turn) => ({ keywords: "w10", as_of: hour(turn) }),
    limit: 200,
  },
  {
    name: "585 a market, 12 h",
    agentId: 585,
    params: (turn) => ({ condition_id: MARKET, as_of: hour(turn) }),
    limit: 200,
  },
  {
    name: "1007 three keywords, 24 h by 1h",
    agentId: 1007,
    params: (turn) => ({ keywords: "{NHL,hockey,Stanley Cup}", end_time: hour(turn) }),
    limit: 200,
  },
  {
    name: "1007 three keywords, 24 h by 5m",
    agentId: 1007,
    params: (turn) => ({ keywords: "{NHL,hockey,Stanley Cup}", interval: "5m", end_time: hour(turn) }),
    limit: 300,
  },
];
