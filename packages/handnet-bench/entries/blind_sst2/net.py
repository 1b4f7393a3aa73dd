# A hand-set network that tells praise from blame in film reviews.
#
# 1. The tokenizer knows words, set phrases and a few word shapes; each becomes one unit with one row in an
#    embedding table.  The numbers of that table all lie in WEIGHTS, one for each word.
# 2. A row has seven channels: the word's own tone, and its power to negate, to raise or lower the next word,
#    to turn the sentence ("but"), to concede ("although"), to make praise unreal ("too", "could have been"),
#    and to end a clause.
# 3. A recurrence walks through the sentence, carries the states that these channels open, and sums up the tones
#    as the states leave them.  The sign of the sum is the answer.

import numpy as np

TASK = "sst2"

# ----------------------------------------------------------------------------------------------------------------
# The vocabulary: words with a tone of their own.  The names are those of the weights below.
# ----------------------------------------------------------------------------------------------------------------

WORDS = {
    # ---------------------------------------------------------------- praise
    "acclaim": [
        "masterpiece", "masterpieces", "masterful", "masterfully", "masterly", "brilliant", "brilliantly",
        "brilliance", "superb", "superbly", "magnificent", "magnificently", "extraordinary", "exquisite",
        "exquisitely", "exhilarating", "exhilaratingly", "exhilaration", "dazzling", "dazzlingly",
        "breathtaking", "breathtakingly", "stunning", "stunningly", "outstanding", "flawless", "flawlessly",
        "unforgettable", "triumph", "triumphant", "triumphantly", "wonderful", "wonderfully", "marvelous",
        "marvelously", "marvellous", "terrific", "terrifically", "excellent", "excellence", "sublime", "sublimely",
        "phenomenal", "astonishing", "astonishingly", "glorious", "gloriously", "virtuoso", "virtuosity",
        "transcendent", "finest", "gem", "gems", "delight", "delightful", "delightfully", "delights", "knockout",
        "splendid", "splendidly", "sensational", "must-see", "must-own", "peerless", "matchless", "unparalleled",
        "incomparable", "wondrous", "wondrously", "jaw-dropping", "awe-inspiring", "ravishing", "stellar",
        "bravura", "bravo", "kudos", "landmark", "impeccable", "impeccably", "triumphs", "first-rate",
        "first-class", "top-notch", "four-star", "world-class", "wonderment", "rapturous", "revelatory",
    ],
    "emotion": [
        "heartbreaking", "heartbreakingly", "heartwarming", "heart-warming", "heartrending", "heart-rending",
        "poignant", "poignantly", "poignancy", "touching", "touchingly", "moving", "movingly", "stirring",
        "stirringly", "affecting", "affectingly", "tender", "tenderness", "tenderly", "heartfelt", "bittersweet",
        "wrenching", "heart-wrenching", "gut-wrenching", "uplifting", "life-affirming", "inspiring",
        "inspirational", "devastating", "devastatingly", "haunting", "hauntingly", "lyrical", "lyrically",
        "lyricism", "soulful", "elegiac", "warmhearted", "warm-hearted", "big-hearted", "good-hearted",
        "openhearted", "compassion", "compassionate", "compassionately", "humane", "humanely", "cathartic",
        "bracing", "resonant", "exuberant", "exuberance", "exuberantly", "joyous", "joyously", "joyful", "jubilant",
        "luminous", "luminously", "powerful", "powerfully", "beautiful", "beautifully", "unforgettably",
        "soul-stirring", "spine-tingling", "heart-felt", "big-hearted", "enriching", "rewarding",
    ],
    "grip": [
        "riveting", "rivetingly", "riveted", "mesmerizing", "mesmerising", "mesmerize", "mesmerizes", "mesmerized",
        "spellbinding", "enthralling", "enthralls", "enthrall", "engrossing", "engrossingly", "absorbing",
        "absorbingly", "gripping", "grippingly", "compelling", "compellingly", "captivating", "captivatingly",
        "captivates", "captivate", "captivated", "engaging", "engagingly", "fascinating", "fascinatingly",
        "fascinates", "hypnotic", "hypnotically", "hypnotizing", "taut", "tautly", "suspenseful", "nail-biting",
        "nail-biter", "edge-of-your-seat", "chilling", "chillingly", "pulse-pounding", "heart-pounding",
        "thrilling", "thrillingly", "electrifying", "electric", "invigorating", "intoxicating", "intoxicatingly",
        "enveloping", "entrancing", "enchanting", "enchantingly", "enchanted", "bewitching", "beguiling",
        "beguilingly", "irresistible", "irresistibly", "alluring", "seductive", "seductively", "tantalizing",
        "involving", "engages", "rapt", "startling", "startlingly", "harrowing", "white-knuckle",
    ],
    "comedy": [
        "hilarious", "hilariously", "hilarity", "uproarious", "uproariously", "sidesplitting", "side-splitting",
        "laugh-out-loud", "witty", "wittily", "wit", "wry", "wryly", "droll", "drolly", "funniest", "wickedly",
        "deliciously", "delicious", "riotous", "riotously", "riot", "hoot", "gleefully", "gleeful", "mischievous",
        "playful", "playfully", "playfulness", "delectable", "scathing", "scathingly", "knee-slapping",
        "razor-sharp", "sly", "slyly", "tongue-in-cheek", "whip-smart", "belly-laugh", "crackling",
    ],
    "comedy_mild": [
        "funny", "humorous", "humorously", "amusing", "amusingly", "comical", "comically", "irreverent",
        "sardonic", "whimsical", "whimsy", "whimsically", "hysterical", "hysterically", "laughter", "chuckles",
        "deadpan", "satirical", "quirky", "offbeat", "raucous", "madcap", "wacky", "goofy", "zingers", "farcical",
        "impish", "puckish", "tickle", "tickled", "laughing", "good-humored", "laugh", "humor", "humour", "kooky",
    ],
    "charm": [
        "charming", "charmingly", "charm", "charms", "charmer", "charmed", "endearing", "endearingly", "likable",
        "likeable", "lovable", "loveable", "adorable", "adorably", "sweet", "sweetly", "sweetness", "winning",
        "winningly", "winsome", "appealing", "appealingly", "appeal", "disarming", "disarmingly", "radiant",
        "radiantly", "radiance", "sparkling", "sparkle", "sparkles", "vibrant", "vibrantly", "vibrance",
        "vivacious", "effervescent", "ebullient", "infectious", "infectiously", "good-natured", "genial", "affable",
        "breezy", "buoyant", "jaunty", "sunny", "sprightly", "spirited", "refreshing", "refreshingly", "fresh",
        "freshness", "scrumptious", "magical", "magic", "magically", "enchantment", "luscious", "charismatic",
        "charisma", "lovely", "loveliness", "congenial", "engaged", "warm", "warmth", "warmly", "affectionate",
        "affectionately", "affection", "lighthearted", "light-hearted", "delighted", "delirious", "deliriously",
    ],
    "craft": [
        "gorgeous", "gorgeously", "elegant", "elegantly", "elegance", "graceful", "gracefully", "grace", "stylish",
        "stylishly", "lush", "lushly", "sumptuous", "sumptuously", "opulent", "picturesque", "evocative",
        "evocatively", "evokes", "evoking", "atmospheric", "poetic", "poetically", "poetry", "crisp", "crisply",
        "deft", "deftly", "adroit", "adroitly", "skillful", "skillfully", "skilfully", "skill", "skills", "finely",
        "expertly", "expert", "assured", "self-assured", "sure-footed", "sure-handed", "confident", "confidently",
        "meticulous", "meticulously", "nuanced", "nuance", "nuances", "subtle", "subtly", "subtlety", "subtleties",
        "textured", "layered", "multilayered", "multi-layered", "intricate", "intricately", "understated",
        "well-crafted", "well-made", "well-acted", "well-written", "well-directed", "well-done", "well-paced",
        "well-rounded", "well-told", "handsome", "handsomely", "eloquent", "eloquently", "eloquence", "lavish",
        "lavishly", "artful", "artfully", "artistry", "mastery", "craftsmanship", "virtuosic", "finesse",
        "delicate", "delicately", "delicacy", "seamless", "seamlessly", "effortless", "effortlessly", "fluid",
        "economical", "painterly", "eye-popping", "kaleidoscopic", "majestic", "majestically", "majesty",
    ],
    "invention": [
        "inventive", "inventively", "inventiveness", "imaginative", "imaginatively", "ingenious", "ingeniously",
        "ingenuity", "innovative", "innovation", "creative", "creatively", "creativity", "clever", "cleverly",
        "cleverness", "originality", "imagination", "unconventional", "unpredictable", "unpredictably",
        "unpredictability", "distinctive", "distinctively", "singular", "one-of-a-kind", "unique", "uniquely",
        "groundbreaking", "ground-breaking", "visionary", "daring", "daringly", "audacious", "audaciously",
        "audacity", "bold", "boldly", "adventurous", "ambitious", "surprising", "surprisingly", "surprises",
        "unexpected", "unexpectedly", "surreal", "visceral", "viscerally", "fanciful", "idiosyncratic",
    ],
    "mind": [
        "intelligent", "intelligently", "intelligence", "smart", "smartly", "smarter", "smarts", "thoughtful",
        "thoughtfully", "thoughtfulness", "insightful", "insightfully", "insight", "insights", "incisive",
        "perceptive", "perceptively", "astute", "astutely", "literate", "provocative", "provocatively",
        "thought-provoking", "thought provoking", "eye-opening", "eye-opener", "illuminating", "illuminates",
        "illuminate", "profound", "profoundly", "profundity", "wise", "wisely", "wisdom", "complex", "complexity",
        "complexities", "searing", "searingly", "trenchant", "penetrating", "probing", "sharp", "sharply",
        "truthful", "truthfully", "observant", "well-observed", "keenly", "keen", "lucid", "enlightening",
        "informative", "educational", "relevant", "timely", "timeless", "important", "challenging", "stimulating",
        "philosophical", "contemplative", "meditative", "meditation", "erudite", "sophisticated", "sophistication",
        "ambiguity", "ambiguities", "intimate", "intimately", "intimacy", "clear-eyed", "even-handed", "balanced",
    ],
    "candour": [
        "honest", "honesty", "sincere", "sincerity", "sincerely", "candid", "candor", "unflinching",
        "unflinchingly", "unsentimental", "unpretentious", "uncompromising", "unforced", "unblinking",
        "unabashedly", "unabashed", "brave", "bravely", "bravery", "courage", "courageous", "fearless",
        "fearlessly", "authentic", "authentically", "authenticity", "genuine", "genuinely", "believable",
        "believably", "credible", "credibly", "convincing", "convincingly", "naturalistic", "down-to-earth",
        "no-nonsense", "heroic", "dignity", "dignified", "integrity", "conviction", "earthy", "gritty", "grittily",
        "raw", "rueful", "wistful", "wistfully", "melancholy", "melancholic", "humanity", "humanism", "humanist",
        "humanistic", "empathy", "empathetic", "passionate", "passionately", "passion",
    ],
    "fun": [
        "entertaining", "entertainingly", "entertains", "entertain", "entertained", "enjoyable", "enjoyably",
        "enjoyed", "enjoyment", "enjoys", "enjoy", "fun", "exciting", "excitement", "excitingly", "thrills",
        "thrill", "rousing", "rousingly", "rollicking", "lively", "liveliness", "energetic", "energetically",
        "energy", "zippy", "zesty", "zest", "kinetic", "dynamic", "vitality", "vigor", "vigorous", "verve", "gusto",
        "panache", "flair", "brio", "chemistry", "rip-roaring", "crackerjack", "crowd-pleaser", "crowd-pleasing",
        "pleasure", "pleasures", "pleasurable", "pleasing", "pleasingly", "pleasant", "pleasantly", "joy", "joys",
        "treat", "treasure", "treasures", "feast", "blast", "escapist", "escapism", "swashbuckling", "delightedly",
        "feel-good", "feelgood", "romp", "snappy", "snazzy", "nifty", "cool", "sexy", "sensual", "sensuous",
        "erotic", "zing", "pizzazz", "high-spirited", "fast-paced", "brisk", "briskly", "spooky", "scary", "creepy",
        "eerie", "eerily", "scares", "gleaming", "juicy", "savory",
    ],
    "approval": [
        "great", "greatest", "greatness", "best", "strong", "strongly", "strongest", "solid", "solidly",
        "satisfying", "satisfyingly", "satisfies", "satisfy", "satisfaction", "rewards", "worthwhile", "worthy",
        "recommended", "recommend", "impressive", "impressively", "impresses", "impressed", "remarkable",
        "remarkably", "memorable", "memorably", "admirable", "admirably", "admire", "admired", "amazing",
        "amazingly", "incredible", "fantastic", "fantastically", "fabulous", "fabulously", "awesome", "super",
        "spectacular", "spectacularly", "wow", "effective", "effectively", "successful", "successfully",
        "succeeds", "succeed", "accomplished", "accomplishment", "achievement", "perfect", "perfectly",
        "perfection", "rich", "richly", "richness", "vivid", "vividly", "rare", "shines", "shine", "shining",
        "soars", "soar", "excels", "captures", "celebrates", "celebration", "celebratory", "treasured", "favorite",
        "loving", "lovingly", "loved", "deserves", "noteworthy", "notable", "notably", "exceptional",
        "exceptionally", "enduring", "lasting", "hard-hitting", "full-bodied", "fully-realized", "superior",
        "triumphed", "gifted", "talented", "dead-on", "spot-on", "pitch-perfect", "note-perfect", "standout",
        "winner", "excellently", "invaluable", "indispensable", "essential", "priceless", "tops", "resonates",
    ],
    "esteem": [
        "good", "fine", "nice", "nicely", "works", "worked", "likes", "liked", "worth", "effect", "gently",
        "gentle", "generous", "generosity", "healthy", "hopeful", "respect", "respectful", "respectable",
        "respects", "dedication", "dedicated", "devoted", "embrace", "embraces", "embraced", "triumphing",
        "tribute", "homage", "classic", "classics", "classy", "class", "polished", "restrained", "restraint",
        "ease", "easygoing", "grand", "grandeur", "epic", "sweeping", "depth", "depths", "detailed", "precise",
        "precision", "clarity", "tight", "tightly", "coherent", "credit", "applaud", "applause", "admiration",
        "wonder", "wonders", "success", "strength", "strengths", "talent", "talents", "artist", "artistic", "virtue",
        "virtues", "inspired", "inspires", "inspire", "captured", "capture", "capturing", "compels", "enriched",
        "balances", "balance", "blends", "blend", "weaves", "interesting", "interestingly", "intrigue",
        "intriguing", "intriguingly", "curious", "suspense", "tension", "intense", "intensity", "intensely",
        "alive", "charged", "potent", "robust", "stands", "soothing", "cherish", "savor", "relish", "fond",
        "fondly", "gratifying", "gratifyingly", "sympathetic", "sympathetically", "sympathy", "earnest",
        "wholesome", "innocence", "innocent", "nostalgic", "old-fashioned", "universal", "heartening",
    ],
    "mild_praise": [
        "decent", "decently", "competent", "competently", "watchable", "serviceable", "capable", "capably",
        "agreeable", "agreeably", "diverting", "harmless", "fairly", "adequate", "adequately", "acceptable",
        "worthwhile", "dark", "darkly", "disturbing", "disturbingly", "unsettling", "unnerving", "provoking",
        "interest", "heart", "hearts", "soul", "spirit", "spiritual", "personal", "truth", "truths", "hope",
        "accessible", "ambition", "faithful", "faithfully", "natural", "naturally", "simple", "simplicity",
        "unusual", "unusually", "uncommonly", "undeniably", "undeniable", "unmistakable", "legendary", "beauty",
        "beloved", "dreamlike", "dreamy", "mystery", "mysterious", "mystical", "ironic", "irony", "satire",
        "suspenser", "enigmatic", "reflective", "explores", "exploration", "explore", "reveals", "revealing",
        "revelation", "discovery", "discover", "journey", "vision", "compulsively", "achieves", "achieve", "earns",
        "earned", "rises", "triumphal", "balancing", "wonderland", "stand-up", "twisty", "noir", "sizzling",
        "glimpse", "portrait", "portraits", "portrayal", "portrays", "tapestry", "ode", "valentine", "fable",
        "memoir", "chronicle", "saga", "rhythm", "rhythms", "rhythmic", "grows", "blossoms", "redemption",
    ],
    "praise_phrases": [
        "tour de force", "one of the best", "one of the finest", "one of the funniest", "one of the greatest",
        "among the best", "among the finest", "the best film", "the best films", "best films",
        "best movies", "must see", "a must", "not to be missed", "do n't miss", "well worth", "worth seeing",
        "worth watching", "worth the price", "worth a look", "worth checking out", "worth your time",
        "worth the effort", "worth taking", "work of art", "labor of love", "pure joy", "sheer joy", "love letter",
        "breath of fresh air", "top notch", "first rate", "first class", "never fails to", "never less than",
        "nothing short of", "nothing less than", "laugh out loud", "edge of your seat", "edge of their seats",
        "in top form", "top form", "pays off", "stays with you", "stay with you", "stick with you", "stuck with you",
        "more than makes up", "hits the mark", "strikes a chord", "rings true", "ring true", "n't disappoint",
        "not disappoint", "never disappoint", "n't be disappointed", "will enjoy", "will love", "'ll love",
        "'ll enjoy", "steals the show", "steals the movie", "steal the show", "stands out", "brings to life",
        "comes alive", "come alive", "springs to life", "full of life", "food for thought", "so much fun",
        "great fun", "good fun", "a lot of fun", "lots of fun", "a good time", "good time", "great time",
        "thumbs up", "hard to resist", "hard not to", "impossible not to", "ca n't help but", "cut above",
        "step above", "notch above", "so much more", "even better", "good old-fashioned", "pleasant surprise",
        "never loses", "never boring", "never dull", "never flags", "never lets", "without being", "without ever",
        "without resorting", "no small", "second to none", "like no other", "unlike any", "at the same time",
        "at once", "on the edge", "hard to forget", "wo n't forget", "not soon", "big screen treat", "just right",
        "on target", "on the mark", "at its best", "at his best", "at her best", "gets it right", "get it right",
    ],
    "praise_phrases_mild": [
        "one of the most", "not bad", "n't bad", "not without", "makes up for", "made up for", "make up for", "as good as",
        "better than", "guilty pleasure", "guilty pleasures", "keeps you", "keep you", "kept me", "keeps us",
        "keeps the", "draws you", "draws us", "pulls you", "pulls off", "holds up", "hold up", "holds its own",
        "holds our", "to life", "look at", "holds you", "gives us", "takes us", "shows us", "reminds us",
        "allows us", "lets us", "brings us", "invites", "finds a way", "manages to", "not only", "not just",
        "not merely", "not simply", "but also", "more than just", "much more than", "worthy of", "to be seen",
        "should be seen", "deserves to be", "needs to be seen", "the human", "human condition", "human nature",
        "human spirit", "and yet", "in every", "as well as", "no doubt", "no denying", "no question",
        "coming-of-age", "coming of age", "slice of life", "a sense of", "sense of humor", "for the ages",
        "for everyone", "for all ages", "whole family", "entire family", "family film", "big screen", "good-looking",
        "easy to", "glad", "thanks to", "thank", "fans of", "lovers of", "of the year", "this year", "in years",
        "in recent memory", "in a long time", "for years", "the better", "all the more", "right mix",
        "turns out to be", "long way", "still manages", "in spite of itself", "take your breath",
    ],
    # ---------------------------------------------------------------- blame
    "disaster": [
        "awful", "awfulness", "terrible", "horrible", "horribly", "dreadful", "dreadfully", "atrocious",
        "atrociously", "abysmal", "abysmally", "appalling", "appallingly", "horrendous", "horrendously", "horrid",
        "execrable", "worst", "unwatchable", "insufferable", "insufferably", "excruciating", "excruciatingly",
        "stinker", "stinks", "stink", "stinking", "garbage", "crap", "crappy", "dreck", "drivel", "rubbish",
        "swill", "sludge", "travesty", "disaster", "disastrous", "disastrously", "fiasco", "debacle", "train wreck",
        "trainwreck", "dud", "clunker", "abomination", "godawful", "god-awful", "wretched", "wretchedly",
        "pathetic", "pathetically", "lousy", "sucks", "suck", "sucked", "sucky", "loathsome", "repulsive",
        "repugnant", "repellent", "revolting", "disgusting", "putrid", "rancid", "rotten", "nauseating", "nausea",
        "vomit", "puke", "unbearable", "unbearably", "intolerable", "torture", "torturous", "tortuous",
        "unendurable", "unforgivable", "inexcusable", "irredeemable", "unsalvageable", "worthless", "waste",
        "bomb", "turkey", "junk", "sham", "hideous", "hideously", "ghastly", "deplorable", "despicable",
        "reprehensible", "detestable", "unholy", "stillborn", "cringe", "cringe-inducing", "cringe-worthy",
        "embarrassing", "embarrassingly", "embarrassment", "shameful", "shamelessly", "disgrace", "misery-inducing",
    ],
    "boredom": [
        "boring", "bore", "bores", "bored", "boredom", "tedious", "tediously", "tedium", "dull", "dulled",
        "dullest", "dullness", "dullard", "dreary", "dreariness", "drab", "lifeless", "listless", "lethargic",
        "leaden", "plodding", "plods", "plod", "ponderous", "ponderously", "sluggish", "sluggishly", "turgid",
        "stultifying", "stultifyingly", "soporific", "snooze", "snoozer", "snore", "yawn", "yawner", "yawning",
        "monotonous", "monotone", "monotony", "interminable", "interminably", "drags", "dragged", "draggy", "drag",
        "dragging", "tiresome", "tiresomely", "numbing", "numbingly", "mind-numbing", "mind-numbingly", "inert",
        "inertia", "stagnant", "aimless", "aimlessly", "stodgy", "tepid", "lukewarm", "limp", "wan", "anemic",
        "bloodless", "flavorless", "toothless", "soulless", "wearying", "wearisome", "long-winded", "sleep-inducing",
        "sleepwalk", "sleepwalking", "sleepwalks", "overlong", "humorless", "joyless", "laughless", "charmless",
        "unfunny", "uninteresting", "uninvolving", "unengaging", "unexciting", "comatose", "deadening", "airless",
        "draggle", "slog", "slogs", "trudge", "doldrums", "sleep-walking", "bore-fest", "snoozefest",
    ],
    "slackness": [
        "repetitive", "repetitious", "repetition", "repetitiously", "endless", "endlessly", "tiring", "tired",
        "weary", "exhausting", "exhausted", "stale", "flat", "flatly", "flatness", "static", "slow", "slow-moving",
        "slow-paced", "meandering", "meanders", "meander", "rambling", "rambles", "ramble", "stuffy", "colorless",
        "sleep", "asleep", "nap", "sleepy", "lags", "sags", "sagging", "saggy", "bogged", "bogs", "stalls", "stall",
        "sputters", "sputtering", "dawdles", "drawn-out", "protracted", "padded", "padding", "droning", "drones",
        "drone", "wheezing", "creaky", "rusty", "creaks", "lumbering", "lumbers", "clunky", "labored", "laborious",
        "laboriously", "deadly", "chore", "ordeal", "endure", "endured", "enduringly", "slack", "slackness",
        "dry", "arid", "sterile", "frigid", "chilly", "cold", "remote", "distant", "detached", "uneventful",
        "impenetrable", "inaccessible", "opaque", "glacial", "dreariest", "gloomy", "drudgery", "trudging",
    ],
    "stupidity": [
        "stupid", "stupidly", "stupidity", "stupider", "dumb", "dumbed-down", "dumbed", "dumbness", "brainless",
        "mindless", "mindlessly", "mindlessness", "moronic", "morons", "moron", "imbecilic", "idiotic",
        "idiotically", "idiot", "idiots", "idiocy", "asinine", "inane", "inanely", "inanity", "inanities", "inept",
        "ineptly", "ineptitude", "incompetent", "incompetently", "incompetence", "amateurish", "amateurishly",
        "amateur", "sloppy", "sloppily", "sloppiness", "slapdash", "shoddy", "shoddily", "sophomoric", "puerile",
        "infantile", "ludicrous", "ludicrously", "ridiculous", "ridiculously", "laughable", "laughably",
        "preposterous", "preposterously", "nonsense", "nonsensical", "incoherent", "incoherence",
        "incomprehensible", "unintelligible", "pointless", "pointlessly", "pointlessness", "meaningless",
        "senseless", "half-baked", "half-assed", "ill-conceived", "ill-considered", "ill-advised", "misguided",
        "misbegotten", "misconceived", "misfire", "misfires", "miscast", "misjudged", "miscalculation", "botched",
        "botches", "bungled", "bungling", "wrongheaded", "wrong-headed", "hare-brained", "harebrained", "witless",
        "clueless", "useless", "hopeless", "hopelessly", "vapid", "vapidity", "vacuous", "insipid", "claptrap",
        "hogwash", "poppycock", "gibberish", "mumbo-jumbo", "hooey", "baloney", "lamebrained", "dim-witted",
    ],
    "confusion": [
        "implausible", "implausibly", "implausibility", "implausibilities", "improbable", "improbably",
        "far-fetched", "unbelievable", "unbelievably", "muddled", "muddle", "muddles", "confused", "confusing",
        "confusion", "confusingly", "convoluted", "jumbled", "jumble", "disjointed", "scattershot", "haphazard",
        "haphazardly", "choppy", "choppily", "messy", "messily", "mess", "murky", "murkily", "muddy", "garbled",
        "illogical", "clumsy", "clumsily", "clumsiness", "cluttered", "clutter", "overloaded", "fragmented",
        "fractured", "hodgepodge", "mishmash", "mish-mash", "patchwork", "scattered", "unfocused", "unclear",
        "uneven", "unevenly", "unevenness", "unwieldy", "ragged", "rushed", "abrupt", "abruptly", "erratic",
        "inconsistent", "inconsistency", "inconsistencies", "incongruous", "nonexistent", "non-existent",
        "patchy", "spotty", "bumpy", "wobbly", "shaky", "sketchy", "contradictory", "baffling", "bewildering",
        "perplexing", "puzzling", "dizzying", "chaotic", "holes", "loopholes", "hit-and-miss", "hit-or-miss",
        "episodic", "lopsided", "unraveling", "unravels", "unravel", "head-scratching", "obscure",
    ],
    "staleness": [
        "cliche", "cliches", "cliched", "cliché", "clichés", "clichéd", "cliche-ridden", "cliché-ridden",
        "formulaic", "formula", "formulas", "predictable", "predictably", "predictability",
        "generic", "rote", "hackneyed", "derivative", "derivatively", "unoriginal", "uninspired", "uninspiring",
        "uninventive", "unimaginative", "imitative", "retread", "retreads", "rehash", "rehashed", "rehashes",
        "recycled", "recycles", "recycling", "regurgitated", "regurgitates", "warmed-over", "rip-off", "ripoff",
        "rip-offs", "knock-off", "knockoff", "copycat", "by-the-numbers", "by the numbers", "cookie-cutter",
        "paint-by-numbers", "paint-by-number", "connect-the-dots", "assembly-line", "boilerplate", "threadbare",
        "shopworn", "well-worn", "timeworn", "time-worn", "worn-out", "trite", "tritely", "triteness", "hokey",
        "corny", "cornball", "cheesy", "cheesiness", "schlocky", "schlock", "run-of-the-mill", "run of the mill",
        "garden-variety", "old-hat", "been-there", "seen-it-all", "dated", "outdated", "moldy", "musty",
        "mothballed", "pedestrian", "perfunctory", "perfunctorily", "workmanlike", "conventional", "prepackaged",
        "pre-packaged", "mass-produced", "manufactured", "processed", "prefabricated", "stereotypical",
        "stereotypes", "stereotype", "stereotyped", "caricature", "caricatures", "one-dimensional",
        "two-dimensional", "one-note", "cardboard", "paper-thin", "wafer-thin", "cartoonish",
    ],
    "syrup": [
        "schmaltzy", "schmaltz", "mawkish", "mawkishness", "maudlin", "sappy", "syrupy", "saccharine", "treacly",
        "treacle", "gooey", "sugary", "sugar-coated", "sugarcoated", "cloying", "cloyingly", "mushy", "weepy",
        "tear-jerker", "tearjerker", "soap-opera", "soapy", "manipulative", "manipulation", "manipulates",
        "manipulated", "manipulating", "preachy", "preachiness", "preaching", "didactic", "didacticism",
        "sermonizing", "moralizing", "moralistic", "platitudes", "platitude", "pap", "sap", "goo", "cutesy",
        "twee", "precious", "preciousness", "fluff", "fluffy", "gushy", "touchy-feely", "new-age", "bathos",
    ],
    "pretence": [
        "pretentious", "pretentiously", "pretentiousness", "pretension", "pretensions", "pompous", "pomposity",
        "self-important", "self-importance", "self-indulgent", "self-indulgence", "self-satisfied",
        "self-congratulatory", "self-righteous", "self-absorbed", "smug", "smugly", "smugness", "arrogant",
        "arrogance", "artsy", "overblown", "overwrought", "overdone", "overcooked", "overstuffed", "overproduced",
        "overheated", "overacted", "overacting", "overwritten", "overplayed", "overrated", "overbearing",
        "overcrowded", "overburdened", "overreaches", "bloated", "bombastic", "bombast", "heavy-handed",
        "heavy-handedness", "heavy-handedly", "ham-fisted", "hamfisted", "ham-handed", "hammy", "strident",
        "strained", "straining", "strains", "forced", "contrived", "contrivance", "contrivances", "contrivedly",
        "artificial", "artificiality", "artificially", "phony", "phoniness", "fake", "faked", "bogus", "faux",
        "stilted", "wooden", "woodenly", "stiff", "stiffly", "awkward", "awkwardly", "awkwardness", "mannered",
        "gimmicky", "gimmick", "gimmicks", "hyped", "hype", "self-parody", "affected", "affectation", "posturing",
        "ostentatious", "grandiose", "portentous", "hollow", "hollowness", "empty", "vacant", "stagy", "stagey",
    ],
    "offence": [
        "offensive", "offensively", "insulting", "insultingly", "insult", "insults", "tasteless", "tastelessness",
        "crass", "crassly", "crude", "crudely", "crudity", "vulgar", "vulgarity", "gross-out", "sleazy", "sleaze",
        "smutty", "exploitative", "exploitive", "exploitation", "mean-spirited", "nasty", "unpleasant",
        "unpleasantly", "unpleasantness", "ugly", "ugliness", "grating", "gratingly", "irritating", "irritatingly",
        "irritates", "irritate", "annoying", "annoyingly", "annoy", "annoyance", "annoyed", "obnoxious",
        "obnoxiously", "aggravating", "abrasive", "shrill", "frustrating", "frustratingly", "frustration",
        "infuriating", "maddening", "maddeningly", "off-putting", "distasteful", "lurid", "gratuitous",
        "gratuitously", "cynical", "cynically", "misogynistic", "misogynist", "misogyny", "racist", "sexist",
        "homophobic", "bad-taste", "patronizing", "condescending", "condescension", "noisy", "noise", "loud",
        "cacophony", "headache", "sickening", "sickly", "sick", "queasy", "icky", "yucky", "smelly", "stench",
        "toilet", "scatological", "flatulence", "fart", "farts", "shameless", "hateful", "hate", "hated", "hates",
        "loathe", "despise", "dislike", "disliked", "painful", "painfully", "pain", "suffers", "suffer",
        "suffering", "suffocating", "juvenile", "childish", "immature", "adolescent", "crummy", "cheap", "cheaply",
        "tawdry", "trashy", "trash", "tacky", "chintzy", "lame", "lamely", "lameness", "miserable", "miserably",
    ],
    "failure": [
        "fails", "failed", "failing", "failings", "fail", "failure", "failures", "flounders", "floundering",
        "flounder", "falters", "falter", "faltering", "stumbles", "stumbling", "flops", "flop", "flopped", "sinks",
        "sinking", "sunk", "collapses", "crumbles", "fizzles", "fizzle", "peters", "misses", "disappoint",
        "disappointing", "disappointingly", "disappointment", "disappointments", "disappointed", "disappoints",
        "unsatisfying", "unsatisfied", "unsatisfactory", "dissatisfied", "underwhelming", "underwhelmed",
        "letdown", "let-down", "lackluster", "lacklustre", "mediocre", "mediocrity", "half-hearted", "halfhearted",
        "inconsequential", "unremarkable", "undistinguished", "forgettable", "disposable", "throwaway",
        "unconvincing", "unconvincingly", "unappealing", "unlikable", "unlikeable", "unsympathetic",
        "unnecessary", "unnecessarily", "unneeded", "unimpressive", "unpersuasive", "unsuccessful",
        "unsuccessfully", "unrewarding", "unintentional", "unintentionally", "inadvertently", "unfulfilling",
        "unfulfilled", "undercooked", "underdeveloped", "underwritten", "under-written", "undernourished",
        "undermines", "undermined", "undermine", "underachieving", "dissipates", "evaporates", "implodes",
        "derails", "derailed", "squanders", "squandered", "squander", "wasted", "wastes", "wasting", "ruined",
        "ruins", "ruin", "spoils", "spoiled", "wrecks", "wreck", "wreckage", "marred", "mars", "hampered",
        "hobbled", "crippled", "doomed", "dooms", "doa", "deadweight", "backfires", "sabotaged", "unforgiving",
    ],
    "weakness": [
        "bad", "badly", "worse", "worsens", "poor", "poorly", "weak", "weakly", "weaker", "weakest", "weakness",
        "weaknesses", "feeble", "feebly", "thin", "thinly", "thinness", "flimsy", "skimpy", "scant", "superficial",
        "superficially", "superficiality", "shallow", "shallowness", "shallowly", "trivial", "trivialize",
        "trivializes", "insignificant", "insubstantial", "bland", "blandly", "blandness", "banal", "banality",
        "banalities", "middling", "so-so", "meager", "paltry", "lesser", "inferior", "deficient", "inadequate",
        "insufficient", "insufficiently", "wrong", "unfortunate", "unfortunately", "regrettably", "regrettable",
        "unresolved", "unrealized", "unfinished", "unmotivated", "unexplained", "misstep", "missteps", "flaccid",
        "cheapened", "diluted", "watered-down", "watered", "sanitized", "toned-down", "neutered", "declawed",
        "lazy", "lazily", "laziness", "careless", "carelessly", "indifferent", "indifference", "apathy",
        "tedious-looking", "dopey", "doltish", "hokum", "cheese", "dim", "murk", "drippy", "drip", "sour",
        "sourly", "mundane", "prosaic", "plain", "ordinary", "unexceptional", "unspectacular", "innocuous",
        "vanilla", "sorry", "desperate", "desperately", "desperation", "excess", "excesses", "excessive", "excessively",
        "jarring", "jarringly", "glib", "facile", "pat", "tidy", "neatly", "simplistic", "reductive", "oversimplified",
        "routine", "silly", "silliness", "sillier", "absurd", "absurdly", "absurdities", "absurdity", "inexplicable",
        "inexplicably", "questionable", "dubious", "suspect",
    ],
    "fault": [
        "problem", "problems", "problematic", "trouble", "troubling", "flaw", "flaws", "flawed", "mistake",
        "mistakes", "mistaken", "error", "errors", "fault", "faults", "sadly", "alas", "missing", "missed", "miss",
        "lost", "loses", "lose", "losing", "loss", "struggles", "struggling", "attempt", "attempts", "attempting",
        "attempted", "tries", "tried", "trying", "slight", "slightest", "slightness", "minor", "mixed", "melodramatic",
        "melodrama", "sentimental", "sentimentality", "stock", "imitation", "imitates", "gross", "grotesque",
        "grotesquely", "violent", "bleak", "grim", "grimly", "depressing", "depressingly", "excuse", "excuses",
        "laughed", "pity", "shame", "unoriginality", "pander", "panders", "pandering", "merely", "nothingness",
        "regret", "warning", "beware", "worn", "victim", "blame", "guilty", "ashamed", "death-defying", "fallen",
        "falling", "suffused", "dumber", "ill", "dreaded", "dread", "overly", "barely-there", "limitations",
        "limited", "limits", "lapses", "lapse", "devolves", "degenerates", "deteriorates", "descends", "veers",
        "plagued", "saddled", "burdened", "marketing", "commercial", "commercials", "product", "merchandise",
        "demographic", "franchise", "vanity", "infomercial", "sitcom", "sitcoms", "sitcom-ish", "mtv", "straight-to-video",
        "direct-to-video", "made-for-tv", "made-for-television", "soap", "wannabe", "wanna-be", "knockoffs",
        "autopilot", "exercise", "calculated", "calculating", "curiously", "strangely", "oddly", "puffery", "filler",
    ],
    "blame_phrases": [
        "waste of", "waste of time", "waste your", "waste your time", "do n't bother", "n't bother", "stay away",
        "steer clear", "skip it", "skip this", "wait for video", "wait for the video", "wait for the dvd",
        "straight to video", "made for tv", "falls flat", "fall flat", "fell flat", "falls short", "fall short",
        "fell short", "comes up short", "come up short", "comes off as", "come off as", "falls apart",
        "fall apart", "runs out of", "run out of", "out of steam", "out of gas", "out of ideas", "goes nowhere",
        "going nowhere", "go nowhere", "nowhere to go", "much ado about", "no point", "what 's the point",
        "the point of", "who cares", "n't care", "not care", "hard to care", "difficult to care", "so what",
        "at best", "been there", "done that", "seen it all", "all over the place", "all over the map", "too long",
        "too bad", "too little", "too much", "too many", "too often", "too late", "too few", "not enough",
        "n't enough", "never enough", "not much", "n't much", "little more than", "nothing more than",
        "no more than", "nothing else", "little else", "not even", "n't even", "never quite", "n't quite",
        "never really", "n't really", "not really", "n't work", "not work", "never works", "never takes off",
        "never rises", "never gets", "never comes", "a chore", "piece of crap", "deserves better",
        "deserved better", "deserve better", "better off", "would rather", "'d rather", "walk out", "walked out",
        "walking out", "your watch", "my watch", "fall asleep", "falling asleep", "no sense", "makes no sense",
        "through the motions", "phoned in", "bottom of the barrel", "bottom-of-the-barrel", "wears thin",
        "wear thin", "wears out its welcome", "overstays its welcome", "outstays its welcome", "its welcome",
        "pulls its punches", "pales in comparison", "needs more", "no reason", "no surprises", "no idea", "no good",
        "none of the", "none of it", "should have been", "could have been", "would have been", "might have been",
        "should have", "could have used", "bears little", "fails to", "failed to", "fail to", "failing to",
        "lack of", "devoid of", "bereft of", "short on", "far from", "anything but", "less than", "drowning in",
    ],
    "blame_phrases_mild": [
        "feels like", "feel like", "felt like", "looks like", "look like", "plays like", "sounds like", "seems like",
        "more like", "like watching", "reads like", "sits there", "just another", "yet another", "the only thing",
        "only thing", "the kind of movie", "at all", "your money", "your time", "my time", "on video", "on dvd",
        "on cable", "tv movie", "soap opera", "supposed to", "supposed to be", "meant to", "meant to be",
        "wants to be", "want to be", "tries to be", "trying to be", "attempts to", "attempt to", "attempt at",
        "tries to", "trying to", "try to", "tries too hard", "trying too hard", "too hard", "by the end",
        "by the time", "long before", "the end credits", "in need of", "could use", "instead of", "rather than",
        "a shame", "a pity", "as if", "as though", "if only", "if not", "not that", "very little", "so little",
        "little to", "nothing to", "no one", "nothing new", "nothing but", "nothing special", "nothing about",
        "all but", "left with", "leaves you", "leave you", "leaves a", "hard to believe", "hard to imagine",
        "hard to", "difficult to", "impossible to", "how bad", "so bad", "this bad", "the worst", "why it", "why the",
        "lost in", "gets lost", "at the expense of", "get out", "saturday night live", "in the end", "good intentions",
        "good enough", "good idea", "interesting idea", "potential", "promising", "promise", "premise", "would have",
        "would be", "could be", "should be", "might be", "may be", "even more", "a bit too", "a little too",
        "all too", "way too", "far too", "much too", "just too", "for the most part", "in search of", "so much",
        "lowest common denominator", "cash in", "target audience", "in the first place", "nowhere near",
    ],
}

# Words whose tone is a faint lean of reviewers' habits.  They are kept apart, so that no other word is cut down
# to one of them.
TONE = {
    "lean_up_strong": [
        "performances", "performance", "both", "documentary", "human", "world", "cinema", "always", "still",
        "beautifully-shot", "manages", "culture", "cultural", "our", "portraying", "imagery", "cinematography",
        "ensemble", "masters", "master", "perspective", "delivers", "delivered", "brings", "artists", "cinematic",
    ],
    "lean_up": [
        "life", "lives", "history", "historical", "family", "families", "us", "children", "adults", "drama",
        "love", "makes", "year", "years", "film", "films", "cast", "actors", "filmmaking", "filmmaker", "director",
        "french", "and", "young", "you", "'ll", "will", "gives", "takes", "offers", "provides", "finds", "creates",
        "music", "score", "images", "visual", "visually", "relationships", "friendship", "woman", "women",
        "mother", "political", "modern", "century", "war", "memory", "memories", "tale", "emotional",
        "emotionally", "emotions", "feature", "animation", "animated", "rock", "better", "yet", "ways", "as",
    ],
    "lean_down": [
        "movie", "movies", "like", "just", "so", "than", "have", "had", "even", "only", "or", "there", "up", "out",
        "off", "really", "hollywood", "ending", "end", "was", "were", "did", "thing", "things", "action", "because",
        "get", "gets", "'re", "i", "scenes", "dialogue", "remake", "sequel", "sequels", "violence", "idea", "ideas",
        "game", "what", "some", "feel", "say", "half", "pretty", "gags", "never", "if", "somewhere", "sense",
        "someone", "somebody", "stuff", "trailer", "studio", "guy", "guys", "make", "made", "making", "through",
    ],
    "lean_down_strong": [
        "plot", "script", "screenplay", "been", "would", "could", "should", "any", "material", "jokes", "joke",
        "feels", "seems", "seem", "seemed", "another", "minutes", "hours", "video", "tv", "television", "episode",
        "why", "?", "...", "no", "not", "n't", "cannot", "nor", "neither", "hardly", "barely", "scarcely", "less",
        "maybe", "perhaps", "running", "special effects", "vehicle", "budget", "ultimately", "somehow", "ends",
        "occasionally", "sometimes", "somewhat", "mostly", "pseudo", "skit", "skits", "sketch", "credits",
        "apparently", "presumably", "basically", "virtually", "mildly", "moderately", "vaguely", "intermittently",
        "sporadically", "fitfully", "a bit", "kind of", "sort of", "rest of the", "ticket", "theater", "paid",
    ],
    "lean_down_hard": [
        "too", "nothing", "anything", "none", "instead", "supposedly", "would-be", "lacks", "lacked",
        "lack", "lacking", "nobody", "nowhere", "neither", "unless you", "needs", "needed",
    ],
    "shape_marks": ["<-less>", "<un->", "<over->"],
    "esteemed_names": [
        "scorsese", "spielberg", "miyazaki", "almodovar", "almodóvar", "kubrick", "hitchcock", "kurosawa", "godard",
        "rohmer", "kiarostami", "polanski", "altman", "disney", "pixar", "imax", "huppert", "binoche", "moore",
        "dench", "caine", "hopkins", "nicholson", "streep", "kidman", "leigh", "herzog", "chaplin", "truffaut",
        "linklater", "soderbergh", "haynes", "cuaron", "cuarón", "denis", "ozon", "egoyan", "payne",
    ],
    "scorned_names": [
        "seagal", "schneider", "sandler", "madonna", "britney", "spears", "carvey", "murphy", "segal", "costner",
        "ritchie", "bay", "schumacher", "bruckheimer", "pokemon", "pokémon", "snl", "martial", "vin", "diesel",
        "travolta", "stallone", "lawrence", "arquette", "pluto", "hartnett", "freddie", "prinze", "showtime",
    ],
}

# Words that work on other words.
CUES = {
    "negate": [
        "not", "n't", "never", "cannot", "without", "nor", "neither", "nothing", "no", "none", "nobody", "nowhere",
        "lacks", "lacked", "lack", "lacking", "lack of", "devoid of", "bereft of", "short on", "far from",
        "anything but", "free of", "instead of", "fails to", "failed to", "fail to", "failing to", "avoids",
        "avoiding", "avoid", "refuses to", "overcomes", "very little", "too little", "not enough", "n't enough",
        "not much", "n't much", "not really", "n't really", "never really", "not even", "n't even", "never quite",
        "n't quite", "none of the", "without being", "without ever", "without resorting", "nowhere near",
    ],
    "negate_half": [
        "hardly", "barely", "scarcely", "rarely", "seldom", "less", "little", "less than", "neither here",
        "few", "no one", "never gets", "never rises", "not exactly", "rather than", "beyond", "despite itself",
    ],
    "raise": [
        "very", "really", "extremely", "deeply", "so", "truly", "utterly", "highly", "incredibly", "absolutely",
        "completely", "totally", "thoroughly", "immensely", "enormously", "particularly", "especially", "wildly",
        "hugely", "quite", "such", "most", "downright", "consistently", "entirely", "simply", "always", "terribly",
        "awfully", "exceedingly", "supremely", "sheer", "pure", "purely", "real", "wholly", "fully", "much",
        "genuine", "at once", "both", "constantly", "uncommonly", "so much", "all the more", "even more",
    ],
    "lower": [
        "somewhat", "slightly", "mildly", "a bit", "a little", "a little bit", "kind of", "sort of", "moderately",
        "partially", "partly", "occasionally", "sometimes", "at times", "intermittently", "vaguely",
        "sporadically", "fitfully", "relatively", "faintly", "marginally", "nearly", "almost", "semi", "quasi",
        "mostly", "periodically", "potentially", "theoretically", "would be", "could be", "might be", "may be",
    ],
    "turn": ["but", "however", "nevertheless", "nonetheless"],
    "turn_half": ["yet", "and yet", "except", "still", "instead", "unfortunately", "sadly", "alas"],
    "concede": [
        "although", "though", "despite", "even though", "even if", "in spite of", "for all its", "for all their",
        "for all the", "albeit", "notwithstanding", "regardless of", "while", "whereas", "aside from",
        "apart from", "other than", "beneath",
    ],
    "unreal": [
        "too", "overly", "excessively", "insufficiently", "supposedly", "would-be", "unintentionally",
        "unintentional", "inadvertently", "attempt at", "attempts at", "attempts to", "attempt to", "tries to be",
        "try to be", "wants to be", "want to be", "trying to be", "could have been", "should have been",
        "would have been", "might have been", "would have", "should have", "could have used", "pretends to be",
        "supposed to be", "supposed to", "meant to be", "meant to", "as if", "a bit too", "a little too",
        "all too", "way too", "far too", "much too", "just too", "too many", "too much", "too few", "if only",
        "in need of", "in search of", "needs more", "could use", "the lack of", "pseudo", "faux", "wannabe",
        "drained of", "strains to be", "aims for", "aspires to", "desperately", "hoping for", "mistakes",
    ],
    "end_clause": [
        ".", ";", ":", "!", "?", "--", "...", "-lrb-", "-rrb-", "but", "however", "although", "though", "while",
        "despite", "nevertheless", "nonetheless", "because", "-", "and yet", "yet",
    ],
    "end_comma": [","],
}

# Words that the tokenizer keeps whole, without any weight, so that no rule of word shape touches them, and phrases
# that hold a cue word without its force.
PLAIN = [
    "unless", "regardless", "doubtless", "countless", "restless", "homeless", "ageless", "relentless",
    "relentlessly", "wireless", "reckless", "ruthless", "ruthlessly", "blessed", "bless", "needless",
    "nameless", "helpless", "speechless", "overall", "overcome", "overlook", "overlooked", "overnight",
    "overtones", "overwhelming", "overwhelmed", "overwhelms", "overseas", "overture", "overflowing", "overhead",
    "overtly", "overlapping", "treated", "treats", "treating", "interested", "passionless", "stockings",
    "no matter", "no less", "no longer", "no wonder", "not to mention", "not necessarily", "least", "at least",
    "help but", "none other", "like it or not", "whether or not", "for better or worse", "best friend",
    "best friends", "good guys", "bad guys", "bad guy", "bad boy", "good girl", "love story", "love triangle",
    "true love", "world war", "dead man", "pretty woman", "fun of", "make fun of", "great escape", "best picture",
    "serial killer", "so far", "and so", "so that", "such as", "as such", "much of", "most of", "most of the",
    "too .", "too ,", "the fine arts", "high school", "super bowl", "sense and sensibility", "understand", "understands",
    "real life", "real world", "real people", "silence", "lesson", "lessons", "more or less",
]


def gather():
    """Number the units: 0 is kept for the empty place and for strange words."""
    order = {}
    for lists in (WORDS, TONE, CUES):
        for words in lists.values():
            for word in words:
                order.setdefault(word, len(order) + 1)
    for word in PLAIN:
        order.setdefault(word, len(order) + 1)
    return order


VOCAB = gather()
CONTENT = frozenset(word for words in WORDS.values() for word in words)
LONGEST = max(len(unit.split()) for unit in VOCAB)

# Inflections that the tokenizer undoes for a word it does not know: (what is cut, what is put in its place).
ENDINGS = [
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ied", "y"), ("ing", ""), ("ing", "e"),
    ("ly", ""), ("ally", ""), ("ily", "y"), ("ness", ""), ("iness", "y"), ("est", ""), ("est", "e"),
    ("iest", "y"), ("ier", "y"), ("ity", "e"),
]

# ----------------------------------------------------------------------------------------------------------------
# The numbers.  A tone of 1 is a word that, alone, moves a reader a little; 3 is one that settles the matter unless
# much speaks against it.
# ----------------------------------------------------------------------------------------------------------------

WEIGHTS = {
    # Highest acclaim ("masterpiece", "superb"): hardly ever used of a bad film, so the top grade, 3.
    "acclaim": np.full(len(WORDS["acclaim"]), 3.0),
    # Words for being moved ("poignant"): critics give them almost only to films they like, a step under acclaim.
    "emotion": np.full(len(WORDS["emotion"]), 2.5),
    # Words for being held ("riveting", "engrossing"): as firm a sign as emotion, sometimes wished for in vain.
    "grip": np.full(len(WORDS["grip"]), 2.4),
    # Strong comic praise ("hilarious", "witty"): clear, yet a failed comedy is measured by it too, so a bit lower.
    "comedy": np.full(len(WORDS["comedy"]), 2.2),
    # Plain comic words ("funny", "amusing"): bad comedies get them half in denial, so about half the top grade.
    "comedy_mild": np.full(len(WORDS["comedy_mild"]), 1.3),
    # Charm and warmth ("endearing", "fresh"): well-meant nearly always, the grade of a firm liking, 2.
    "charm": np.full(len(WORDS["charm"]), 2.0),
    # Skill and looks ("deft", "gorgeous", "nuanced"): firm liking, though looks may be praised in a poor film.
    "craft": np.full(len(WORDS["craft"]), 1.9),
    # Invention ("clever", "daring"): liked, but cleverness and ambition are also granted to failures.
    "invention": np.full(len(WORDS["invention"]), 1.6),
    # Mind ("intelligent", "thought-provoking"): respect from critics, who are readers; just under firm liking.
    "mind": np.full(len(WORDS["mind"]), 1.8),
    # Candour and courage ("honest", "unflinching"): moral praise, rarely ironic, nearly as firm as mind.
    "candour": np.full(len(WORDS["candour"]), 1.7),
    # Fun and energy ("entertaining", "lively", "pleasure"): praise, but often what a dull film is said to want.
    "fun": np.full(len(WORDS["fun"]), 1.5),
    # General approval ("great", "impressive", "perfect"): positive, yet worn by use and by irony.
    "approval": np.full(len(WORDS["approval"]), 1.8),
    # Calmer esteem ("good", "nice", "depth", "talent"): common in mixed verdicts, so only 1.1.
    "esteem": np.full(len(WORDS["esteem"]), 1.1),
    # Faint praise and the vocabulary of serious subjects ("decent", "portrait", "journey"): leans to praise.
    "mild_praise": np.full(len(WORDS["mild_praise"]), 0.7),
    # Set phrases that give a verdict ("well worth", "rings true"): near acclaim, since nothing else is meant.
    "praise_phrases": np.full(len(WORDS["praise_phrases"]), 2.3),
    # Phrases that only lean to praise ("keeps you", "gives us", "as well as"): under the grade of esteem.
    "praise_phrases_mild": np.full(len(WORDS["praise_phrases_mild"]), 0.8),

    # Utter rejection ("awful", "garbage"): nobody says it of a film he likes, the mirror of acclaim.
    "disaster": np.full(len(WORDS["disaster"]), -3.0),
    # Boredom ("tedious", "lifeless"): the gravest everyday reproach, nearly as final as rejection.
    "boredom": np.full(len(WORDS["boredom"]), -2.7),
    # Slackness ("slow", "repetitive", "tired"): a reproach that good films also get now and then.
    "slackness": np.full(len(WORDS["slackness"]), -1.6),
    # Stupidity and bungling ("inane", "ludicrous", "pointless"): contempt, so near the bottom grade.
    "stupidity": np.full(len(WORDS["stupidity"]), -2.5),
    # Confusion ("muddled", "uneven"): a fault of making, at times forgiven, so a middle grade of blame.
    "confusion": np.full(len(WORDS["confusion"]), -1.7),
    # Staleness ("formulaic", "cliched"): a standing reproach of critics, firm but sometimes conceded.
    "staleness": np.full(len(WORDS["staleness"]), -1.9),
    # Syrup and sermon ("mawkish", "preachy"): firm blame, though good films are praised for being free of it.
    "syrup": np.full(len(WORDS["syrup"]), -1.7),
    # Pretence and strain ("pretentious", "contrived"): firm blame, the mirror of candour.
    "pretence": np.full(len(WORDS["pretence"]), -2.0),
    # Offence and irritation ("obnoxious", "crass"): firm blame, a bit less as such words also tell of the plot.
    "offence": np.full(len(WORDS["offence"]), -1.8),
    # Failure ("fails", "disappointing", "forgettable"): a verdict in one word, hence above the middle grade.
    "failure": np.full(len(WORDS["failure"]), -2.2),
    # Weakness ("bad", "thin", "bland", "silly"): clear blame that also stands in mixed verdicts.
    "weakness": np.full(len(WORDS["weakness"]), -1.7),
    # Faults named in passing ("flaws", "tries", "sentimental", "sitcom"): half the weight of weakness.
    "fault": np.full(len(WORDS["fault"]), -0.9),
    # Set phrases of blame ("falls flat", "waste of", "should have been"): each of them is a verdict.
    "blame_phrases": np.full(len(WORDS["blame_phrases"]), -2.0),
    # Phrases that lean to blame ("feels like", "trying to", "at all"): about the weight of a named fault.
    "blame_phrases_mild": np.full(len(WORDS["blame_phrases_mild"]), -0.8),

    # Topics that reviewers bring up when pleased ("performances", "human", "still"): a clear lean, half a tone.
    "lean_up_strong": np.full(len(TONE["lean_up_strong"]), 0.5),
    # Words a bit more frequent in praise ("life", "film", "and", "us"): a nudge that decides only bare sentences.
    "lean_up": np.full(len(TONE["lean_up"]), 0.2),
    # Words a bit more frequent in blame ("movie", "just", "even"): the mirror of the nudge upward.
    "lean_down": np.full(len(TONE["lean_down"]), -0.25),
    # Complaints turn on script, jokes, minutes, "would", denial and questions: a clear lean of half a tone.
    "lean_down_strong": np.full(len(TONE["lean_down_strong"]), -0.5),
    # Excess and want ("too", "nothing", "lacks"): reproaches before one even knows of what, one full tone.
    "lean_down_hard": np.full(len(TONE["lean_down_hard"]), -1.0),
    # Strange words in -less, un- and over- ("gutless", "unsubtle", "overripe") mostly name a want or an excess.
    "shape_marks": np.full(len(TONE["shape_marks"]), -1.3),
    # Film-makers and players whom critics of the time held dear: they are named mostly in respectful reviews.
    "esteemed_names": np.full(len(TONE["esteemed_names"]), 0.4),
    # Names and brands that critics of the time liked to scorn: a lean to blame of the same order.
    "scorned_names": np.full(len(TONE["scorned_names"]), -0.6),

    # Full negators open a state of 1, the whole of the negation's power.
    "negate": np.full(len(CUES["negate"]), 1.0),
    # "hardly", "less", "little", "rarely" deny by halves, so they open a little over half the state.
    "negate_half": np.full(len(CUES["negate_half"]), 0.6),
    # Intensifiers add two fifths to the word they stand before: felt, but not a grade of their own.
    "raise": np.full(len(CUES["raise"]), 0.4),
    # Diminishers take two fifths off the word after them: "mildly amusing" is a little over half as amusing.
    "lower": np.full(len(CUES["lower"]), -0.4),
    # "but" and its kin turn the sentence in full: what comes after is what the critic wants to say.
    "turn": np.full(len(CUES["turn"]), 1.0),
    # "yet", "still", "alas" turn it only in part, as they join like things as well ("funny yet moving").
    "turn_half": np.full(len(CUES["turn_half"]), 0.4),
    # A concessive word opens a clause the writer grants away: four fifths of the full state, as some are temporal.
    "concede": np.full(len(CUES["concede"]), 0.8),
    # "too", "could have been", "tries to be" make the praise after them unreal: nine tenths of a negation for it.
    "unreal": np.full(len(CUES["unreal"]), 0.9),
    # Full stops, brackets and turning words end the reach of every state, hence 1.
    "end_clause": np.full(len(CUES["end_clause"]), 1.0),
    # A comma ends most of the reach of a negation, though not all of it in a list ("no wit, charm or sense").
    "end_comma": np.full(len(CUES["end_comma"]), 0.7),

    # Denied praise turns over: 1 - 1.7 leaves seven tenths of it as blame ("not funny").
    "flip_praise": np.array([1.7]),
    # Denied blame turns into weak praise only: 1 - 1.5 leaves half of it ("not bad", "never dull").
    "flip_blame": np.array([1.5]),
    # A negation fades slowly from word to word: five words on ("n't have any of the charm") two thirds remain.
    "keep_negation": np.array([0.93]),
    # The unreal state fades faster: "too" aims at the next word or two, "could have been a ..." a bit further.
    "keep_unreal": np.array([0.75]),
    # An intensifier reaches the next word in full and the second next at a third ("very, very", "so much fun").
    "keep_gain": np.array([0.35]),
    # After the turn a word counts half as much again, for there the verdict falls.
    "after_turn": np.array([0.5]),
    # Before the turn a word counts half, being granted and then taken back.
    "before_turn": np.array([0.5]),
    # In a conceded clause a word loses all its weight when the state is full, and four fifths at the usual 0.8.
    "concession_loss": np.array([1.0]),
    # With nothing said against a film the sentence is mostly kind: complaints name their object.  A small push up.
    "bias": np.array([0.23]),
}

# Which list of numbers feeds which channel of the embedding table.
TONE_CH, NEG_CH, GAIN_CH, TURN_CH, CONCEDE_CH, UNREAL_CH, END_CH = range(len("tngrcue"))
CUE_CHANNELS = {
    "negate": NEG_CH, "negate_half": NEG_CH, "raise": GAIN_CH, "lower": GAIN_CH, "turn": TURN_CH,
    "turn_half": TURN_CH, "concede": CONCEDE_CH, "unreal": UNREAL_CH, "end_clause": END_CH, "end_comma": END_CH,
}
LAYOUT = [(name, [VOCAB[word] for word in words], TONE_CH) for lists in (WORDS, TONE) for name, words in lists.items()]
LAYOUT = LAYOUT + [(name, [VOCAB[word] for word in words], CUE_CHANNELS[name]) for name, words in CUES.items()]


# ----------------------------------------------------------------------------------------------------------------
# The tokenizer
# ----------------------------------------------------------------------------------------------------------------

def by_shape(word):
    """The unit of a word that is not in the vocabulary, found by its ending or beginning; 0 if there is none."""
    for cut, put in ENDINGS:
        if word.endswith(cut):
            stem = word[:len(word) - len(cut)] + put
            if len(stem) > len("fun") and stem in CONTENT:
                return VOCAB[stem]
    if word.startswith("un") and word[len("un"):] in CONTENT:
        return VOCAB["<un->"]
    if word.endswith(("less", "lessly", "lessness")) and len(word) > len("unless"):
        return VOCAB["<-less>"]
    if word.startswith("over") and len(word) > len("overall"):
        return VOCAB["<over->"]
    return 0


def pieces(word):
    """Units of an unknown token: one by its shape, or one for each part of a hyphenated word."""
    unit = by_shape(word)
    parts = [part for part in word.split("-") if part]
    if unit == 0 and len(parts) > 1:
        return [VOCAB[part] if part in VOCAB else by_shape(part) for part in parts]
    return [unit]


def read(tokens):
    """The sentence as unit numbers, the longest known phrase first."""
    words = [str(token) for token in tokens]
    units = []
    at = 0
    while at < len(words):
        found = False
        for span in range(min(LONGEST, len(words) - at), 0, -1):
            unit = " ".join(words[at:at + span])
            if unit in VOCAB:
                units.append(VOCAB[unit])
                at = at + span
                found = True
                break
        if not found:
            units.extend(pieces(words[at]))
            at = at + 1
    return units


# ----------------------------------------------------------------------------------------------------------------
# The network
# ----------------------------------------------------------------------------------------------------------------

def weight(name):
    return np.asarray(WEIGHTS[name], dtype=float)


def embedding():
    """The table of all units: a row for each, a column for each channel; row 0 is empty."""
    table = np.zeros((len(VOCAB) + 1, END_CH + 1))
    for name, rows, channel in LAYOUT:
        table[rows, channel] = weight(name)
    return table


def predict(inputs):
    sentences = [read(tokens) for tokens in inputs]
    if len(sentences) == 0:
        return []
    longest = max(1, max(len(units) for units in sentences))
    ids = np.zeros((len(sentences), longest), dtype=int)
    for row, units in enumerate(sentences):
        ids[row, :len(units)] = units
    x = embedding()[ids]

    # The turn: how much of it lies behind a word, and how much still ahead.
    turned = np.cumsum(x[:, :, TURN_CH], axis=1)
    behind = np.minimum(1, turned)
    ahead = np.minimum(1, np.maximum(0, turned[:, -1:] - turned))
    stress = 1 + weight("after_turn") * behind - weight("before_turn") * ahead

    negation = np.zeros(len(sentences))
    unreal = np.zeros(len(sentences))
    gain = np.zeros(len(sentences))
    concession = np.zeros(len(sentences))
    score = np.zeros(len(sentences)) + weight("bias")
    for t in range(longest):
        going_on = 1 - x[:, t, END_CH]
        # What earlier words left open, faded by one word and cut at the end of a clause.
        negation = negation * weight("keep_negation") * going_on
        unreal = unreal * weight("keep_unreal") * going_on
        concession = concession * going_on
        # The word's own tone, raised or lowered, and turned over where it is denied.
        tone = x[:, t, TONE_CH] * (1 + gain)
        denied = np.minimum(1, negation)
        doubted = np.minimum(1, negation + unreal)
        praise = np.maximum(0, tone) * (1 - weight("flip_praise") * doubted)
        blame = np.maximum(0, -tone) * (1 - weight("flip_blame") * denied)
        held = 1 - weight("concession_loss") * np.minimum(1, concession)
        score = score + (praise - blame) * held * stress[:, t]
        # What this word opens for the words after it.
        negation = np.minimum(1, negation + x[:, t, NEG_CH])
        unreal = np.minimum(1, unreal + x[:, t, UNREAL_CH])
        gain = gain * weight("keep_gain") + x[:, t, GAIN_CH]
        concession = np.minimum(1, concession + x[:, t, CONCEDE_CH])
    return [int(value) for value in score > 0]
