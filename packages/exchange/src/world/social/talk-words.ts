/** Openers of posts about a market. */
export const OPENERS: readonly string[] = [
  "Looking at this one again:",
  "Anyone else watching this?",
  "Not sure about the odds here:",
  "Big if true.",
  "My take:",
  "hot take,",
  "ok hear me out.",
  "Thread:",
  "",
  "",
];

/** Openers of posts right after a price jump. */
export const NEWS: readonly string[] = [
  "BREAKING:",
  "Just in:",
  "Wow, this moved.",
  "Reports now say:",
  "This changes things:",
  "🚨",
];

/** Sentences around all the names of a market. */
export const AROUND: readonly string[] = [
  "{all} 👀",
  "everybody is talking about {all} today",
  "hearing a lot about {all} lately",
  "so what about {all}?",
  "can't stop reading about {all}",
  "{all}, again.",
  "{all} is all over my feed",
  "my cousin works on {all} and is not worried",
];

/** The same in other languages, by code. */
export const AROUND_IN: readonly (readonly [lang: string, sentence: string])[] = [
  ["es", "¿Qué opinan de {all}? Yo no lo veo claro"],
  ["es", "Hoy todo el mundo habla de {all}"],
  ["pt", "Alguém acompanhando {all}? Acho difícil"],
  ["de", "Was haltet ihr von {all}? Ich bin gespannt"],
  ["fr", "Tout le monde parle de {all} aujourd'hui"],
  ["ja", "{all} の話題ばかり見ている"],
];

export const STANCES: Readonly<Record<"buy_yes" | "buy_no" | "up" | "down", readonly string[]>> = {
  buy_yes: [
    "Buying yes at {cents}c.",
    "long YES @ {cents}¢",
    "yes is free money at {cents}c",
    "loaded up on Yes shares",
  ],
  buy_no: ["Buying No at {no}c.", "I'm on NO here, {no}¢ is a gift", "buy no", "took the no side at {no}c"],
  up: ["Odds are going up fast.", "this goes to 80%", "heading higher from {cents}%", "probability climbing 📈"],
  down: ["Odds dropping fast.", "this falls below 10% soon", "heading lower from {cents}%", "chances collapsing 📉"],
};

export const TONES: Readonly<Record<"good" | "bad", readonly string[]>> = {
  good: ["I love this.", "Great news, honestly.", "So happy about it!", "Feeling hopeful 😊", "wonderful work"],
  bad: [
    "This is awful.",
    "Terrible, just terrible.",
    "I'm so angry about it.",
    "What a sad mess 😡",
    "horrible people",
  ],
};

/** Replies without names: only the parent post shows what they are about. */
export const ANSWERS: readonly string[] = [
  "this",
  "Source?",
  "lol no",
  "agreed, same here",
  "You said that last week too.",
  "yes!! finally somebody says it",
  "no way",
  "hard to say, depends on turnout",
];

/** Texts unrelated to any market, with words that markets use too. */
export const NOISE: readonly string[] = [
  "A storm warning for the coast tonight, take the plants inside",
  "We saw two falcons over the old kings' road this morning",
  "Royals and titans of industry, all in one boring biography",
  "the wolves documentary made me cry",
  "Low sun in the afternoon, paper moons on the wall, good day",
  "Marching in the march for the march of dimes in march",
  "no change in my sourdough starter, yes I fed it",
  "A 25 bp? No idea what that means, I make tables",
  "My lynx-eyed neighbour reported the missing headset",
  "Pioneers of modern dance, a talk at the library on Thursday",
  "I bet you can't win against my grandmother at cards",
  "is it me or does the housing office never answer",
  "Best picture I took all year: my dog asleep in the snow",
  "The Denver omelette here is the best in town",
  "Solana Beach has good tacos",
  "inflation? the balloon at the party had plenty of it",
  "New home, new robot vacuum, same dust",
  "Director's chair for sale, barely used, 40 dollars",
  "Jury duty again. Yes or no questions all day.",
  "Just finished a 10k. Comets could not have been faster.",
  "What's everyone reading this weekend?",
  "good morning ☕",
  "my cat sat on the keyboard and bought nothing",
  "We need better bike lanes, that's the post",
];

/** The same in other languages. */
export const NOISE_IN: readonly (readonly [lang: string, text: string])[] = [
  ["es", "Buenos días, hoy llueve y no hay café"],
  ["pt", "Que dia bonito para ficar em casa"],
  ["de", "Der Zug hat wieder Verspätung, wie immer"],
  ["fr", "Quelqu'un a un bon livre à conseiller ?"],
  ["ja", "今日はいい天気ですね"],
  ["ko", "오늘 점심 뭐 먹지"],
  ["ar", "صباح الخير يا أصدقاء"],
];

export const EMOJI: readonly string[] = ["🔥", "👀", "😂", "🤷‍♀️", "📈", "🫠", "🇪🇺", "👩🏽‍💻"];

/** Texts that try to break careless readers. */
export const HOSTILE: readonly string[] = [
  '<script>alert("x")</script>',
  "'; DROP TABLE social_posts; --",
  "\u202Eecalp siht morf\u202C",
  "a\u0000b",
  "Z̷̢̛a̸̡l̶̨g̵o̷",
  '{{7*7}} ${7*7} %s %n "\\',
  "<img src=x onerror=alert(1)>",
  "\uFEFF\u200B\u2028\u2029",
];
