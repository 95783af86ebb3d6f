const phrases = (text: string): readonly string[] => text.split(", ");

/** What is said of people who stand for an office; beside a candidate's name it tells of the race. */
export const CAMPAIGN_WORDS: readonly string[] = phrases(
  "election, elections, elected, electoral, reelect, reelected, reelection, re election, campaign, " +
    "campaigns, campaigning, campaigned, rally, rallies, town hall, swing state, swing states, " +
    "battleground, battlegrounds, poll, polls, polling, polled, pollster, pollsters, debate, debates, " +
    "debated, debating, ballot, ballots, voter, voters, voting, vote for, votes for, voted for, " +
    "votes against, turnout, early vote, early votes, primary, primaries, candidate, candidates, " +
    "candidacy, nominee, nominees, nomination, running mate, runoff, running for, running against, " +
    "runs for, runs against, in the running, opponent, opponents, endorse, endorses, endorsed, " +
    "endorsing, endorsement, endorsements, landslide, front runner, frontrunner, defeat, defeats, " +
    "defeated, defeating, concede, concedes, conceded, on the ticket",
);

/** The same, of who stands for a party: where a candidate is in the race itself too, only these tell of the party's choice. */
export const NOMINATION_WORDS: readonly string[] = phrases(
  "nominee, nominees, nomination, nominate, nominated, primary, primaries, caucus, caucuses, delegate, " +
    "delegates, convention, drop out, drops out, dropped out, dropping out, step aside",
);

/** What is said of parties and a chamber, beside words of campaigns. */
export const CONTROL_WORDS: readonly string[] = ["midterm", "midterms", "majority", "majorities", "control of", "flip"];

/** Words of one who stands for another office than a presidency. */
export const OTHER_RACES: readonly string[] = phrases(
  "congressional district, for congress, in congress, to represent, representing, for senate, " +
    "united states senate, state senate, for governor, for mayor, for attorney general, special election",
);

/** What is said of voting in a place; beside the place's name it tells of its race. */
export const VOTING_WORDS: readonly string[] = phrases(
  "vote, votes, voter, voters, voting, ballot, ballots, polls, polling, turnout, electoral, " +
    "swing state, swing states, battleground, battlegrounds, election, recount",
);

/** What Americans say of voting while they vote for a president, wherever that is. */
export const NATIONAL_VOTING_WORDS: readonly string[] = phrases(
  "early voting, vote early, voting early, absentee ballot, absentee ballots, mail in ballot, " +
    "mail in ballots, mail in voting, register to vote, registered to vote, registering to vote, " +
    "go vote, get out and vote, get out to vote, get out the vote, polling place, polling places, " +
    "swing states, battleground states, electoral college, electoral votes, presidential race, " +
    "presidential debate",
);

/** Words of one office: beside them a text is of another race than a president's. */
export const LOWER_OFFICES: readonly string[] = phrases(
  "senate, senator, senators, governor, gubernatorial, congress, congressional, congressman, " +
    "congresswoman, district, mayor, mayoral, attorney general, supreme court, legislature, state house, " +
    "assembly, special election, sheriff, school board, city council, prop",
);
