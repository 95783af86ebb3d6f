import { activityTopics } from "./activity-topics.ts";
import { eventTopics } from "./event-topics.ts";

/**
 * What a log of an event must have at least: topics with the first one, and 32-byte words of data. `lists` are the words
 * with the offsets of its arrays, which are all of one length.
 */
export type LogShape = { readonly topics: number; readonly words: number; readonly lists?: readonly number[] };

/**
 * First topic → shape, of the events whose data is decoded: a log that is shorter could not be read, and is told apart
 * here so that only its transaction is left out.
 */
export const logShapes: ReadonlyMap<string, LogShape> = new Map<string, LogShape>([
  [eventTopics.filledV1, { topics: 4, words: 5 }],
  [eventTopics.matchedV1, { topics: 3, words: 4 }],
  [eventTopics.refundedV1, { topics: 4, words: 2 }],
  [eventTopics.filledV2, { topics: 4, words: 7 }],
  [eventTopics.matchedV2, { topics: 3, words: 4 }],
  [activityTopics.resolved, { topics: 4, words: 3, lists: [1] }],
  [activityTopics.split, { topics: 4, words: 4, lists: [1] }],
  [activityTopics.merged, { topics: 4, words: 4, lists: [1] }],
  [activityTopics.redeemed, { topics: 4, words: 4, lists: [1] }],
  [activityTopics.movedOne, { topics: 4, words: 2 }],
  [activityTopics.movedMany, { topics: 4, words: 4, lists: [0, 1] }],
  [activityTopics.negRiskSplit, { topics: 3, words: 1 }],
  [activityTopics.negRiskMerged, { topics: 3, words: 1 }],
  [activityTopics.converted, { topics: 4, words: 1 }],
  [activityTopics.negRiskRedeemed, { topics: 3, words: 3, lists: [0] }],
  [activityTopics.questionPrepared, { topics: 3, words: 1 }],
]);
