import type { Fault } from "./fault.ts";
import type { FaultResult } from "./fault-result.ts";

const MOST_EXAMPLES = 5;

/** What a fault has broken that must hold, a sentence each. */
export function findProblems(result: Omit<FaultResult, "problems">, holds: Fault["holds"]): string[] {
  const { lost, doubled, undeclared, holes, waiting, recoverySeconds, notRecovered, during, streams } = result;
  const failed = Object.values(during.failed).reduce((sum, count) => sum + count, 0);
  const most = holds.mostFailedShare * during.asked;
  const reasons = Object.entries(during.failed).map(([reason, count]) => `${reason} ${count} times`);
  return [
    ...(lost > 0 ? [`${lost} rows are lost`] : []),
    ...(doubled > 0 ? [`${doubled} rows are doubled`] : []),
    ...(undeclared > 0 ? [`${undeclared} rows are lost or wrong and nothing is said of it`] : []),
    ...(undeclared === 0 ? [] : streams).flatMap(({ stream, examples }) =>
      examples.slice(0, MOST_EXAMPLES).map((text) => `${stream}: ${text}`),
    ),
    ...holes.silent.slice(0, MOST_EXAMPLES).map((text) => `a silent hole: ${text}`),
    ...(failed > most
      ? [`${failed} of ${during.asked} requests failed after a second try (${reasons.join(", ")})`]
      : []),
    ...(recoverySeconds === null ? [`not recovered: ${notRecovered.join(", ")}`] : []),
    ...(recoverySeconds !== null && recoverySeconds > holds.mostRecoverySeconds
      ? [`recovered after ${recoverySeconds} s, later than ${holds.mostRecoverySeconds} s`]
      : []),
    ...(waiting.length > 0 ? [`not settled: ${waiting.slice(0, MOST_EXAMPLES).join(", ")}`] : []),
  ];
}
