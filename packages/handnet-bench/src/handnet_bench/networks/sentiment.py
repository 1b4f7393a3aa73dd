# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Sentiment of a film-review sentence: graded words, negation as a fading recurrence, turns of the argument.

Each word of the vocabulary has six channels: its worth, whether it negates what follows, how much it boosts the
next word, whether it turns the argument ("but"), whether it opens a concession ("while"), whether it ends a clause.
A recurrent unit carries negation to the right and fades, a second one carries a
concession to the end of its clause, a mirror-image one carries the turn to the left.
The logit is the sum of what the words and the idioms contribute.
"""

import numpy as np

TASK = "sentiment"

# Words by how much they say about a film. A word listed twice counts where it is listed first.
WORDS = {
    # unreserved praise
    3.0: (
        "masterpiece masterful masterfully masterly brilliant brilliantly brilliance superb superbly wonderful "
        "wonderfully magnificent magnificently extraordinary extraordinarily exceptional exceptionally "
        "outstanding terrific amazing amazingly astonishing astonishingly astounding breathtaking breathtakingly "
        "exhilarating exquisite exquisitely dazzling dazzlingly triumph triumphant triumphantly spectacular "
        "spectacularly stunning stunningly fantastic fabulous marvelous marvelously marvel unforgettable gem "
        "treasure delightful delightfully delight delights delighted remarkable remarkably riveting mesmerizing "
        "enthralling captivating captivates enchanting hilarious hilariously uproarious luminous sublime "
        "sublimely virtuoso tour-de-force must-see excellent excellently excels perfect perfectly perfection "
        "flawless impeccable impeccably glorious gloriously gorgeous gorgeously splendid splendidly sensational "
        "best finest incomparable unparalleled standout winner winning winningly beautifully beautiful beauty "
        "exuberant exuberantly enthralls mesmerizes electrifying indelible transcendent transcends transcendental "
        "majestic heavenly phenomenal awesome awe "
    ),
    # clear praise
    2.0: (
        "great greatly greatest good goodness engaging engagingly engage engages engrossing compelling "
        "compellingly gripping grips charming charmingly charm charms charmer charismatic charisma enjoyable "
        "enjoyably enjoy enjoyed enjoying enjoyment entertaining entertainingly entertain entertains entertained "
        "entertainment funny funnier funniest witty wittily wit clever cleverly smart smartly intelligent "
        "intelligently intelligence insightful insight insights touching touchingly moving movingly poignant "
        "poignantly poignancy heartfelt heartwarming heart-warming warm warmth warmly tender tenderly tenderness "
        "sweet sweetly sweetness lovely lovable lovingly loving fresh freshly freshness refreshing refreshingly "
        "inventive inventiveness inventively imaginative imaginatively imagination original originality powerful "
        "powerfully potent impressive impressively impresses rewarding satisfying satisfies fascinating "
        "fascinates fascination absorbing absorbs involving thrilling thrills exciting excitement fun thoughtful "
        "thoughtfully thought-provoking provocative subtle subtly subtlety graceful gracefully grace elegant "
        "elegantly elegance eloquent eloquently eloquence inspired inspiring inspires inspiration inspirational "
        "uplifting joyous joy joyful joyfully vibrant vibrantly vivid vividly lively stylish stylishly style-rich "
        "sharp sharply crisp crisply skillful skillfully skill skilled deft deftly accomplished accomplishes "
        "accomplishment admirable admirably admire solid solidly strong strongly stronger strength strengths rich "
        "richly richness memorable appealing appeal appeals likable likeable honest honestly honesty sincere "
        "sincerely sincerity authentic authenticity genuine genuinely affecting affectingly affectionate "
        "affection affirming life-affirming pleasure pleasures pleasurable pleasing pleasant pleasantly pleased "
        "worthwhile worthy recommend recommended recommendable succeeds success successful successfully triumphs "
        "hit hits rousing stirring stirs spirited irresistible irresistibly infectious infectiously delicious "
        "deliciously delectable sly slyly sparkling sparkles shines shine shining glows glowing hypnotic "
        "hypnotically haunting hauntingly evocative evocatively evokes lyrical lyrically lyricism poetic poetry "
        "poetically artful artfully artistry mature maturity nuanced nuance nuances layered complex complexity "
        "intricate textured compassion compassionate compassionately humane humanity humanistic empathy wise "
        "wisely wisdom profound profoundly deep deeply depth deeper resonant resonance resonates resonate "
        "enlightening illuminating illuminates revelatory revelation celebrates celebration celebratory celebrate "
        "energetic energy energizes vitality vital invigorating brave bravely bravura bold boldly daring "
        "audacious courage courageous ambitious unique uniquely distinctive singular rare rarely-seen surprising "
        "surprisingly surprises unexpected unexpectedly unpredictable suspenseful taut tautly tense tension "
        "intense intensely intensity chilling chillingly creepy creepily scary spooky eerie eerily goose-bumps "
        "effective effectively seductive sensual sensuous sexy charmed handsome handsomely handsomely-mounted "
        "lush lushly sumptuous sumptuously polished sophisticated sophistication crafted well-crafted well-made "
        "well-acted well-written well-done well-told well-executed craftsmanship first-rate top-notch first-class "
        "high-energy classy class-act laugh-out-loud laughs laughter laughed chuckles giggles hoot blast treat "
        "treats thrill joyride nifty cool neat fine finely fascinated appreciate appreciated appreciates "
        "appreciation admiration captures capture captured captivated enriched enriching beloved timeless classic "
        "classics crowd-pleasing crowd-pleaser crowd-pleasers feel-good sturdy assured assuredly confident "
        "confidently precise precision bravery integrity rapport striking strikingly miracle miracles clarity "
        "unimpeachable spry rapt exceeds rich-in gut-busting hard-hitting deeply-felt soaring soars stands-out "
        "well-paced well-conceived tasty savory juicy spellbinding spellbound spectacle rewards reward rewarded "
        "fulfilling gratifying satisfied pleases celebrated enlivened enlivens revitalizes renewed resourceful "
        "sensuality wickedly devilish gracious disarming disarmingly winsome endearing endearingly adorable "
        "huggable tenderhearted open-hearted big-hearted good-hearted good-natured generous generosity kindness "
        "insightfully thought-out provoking perceptiveness incisive incisively penetrating piercing bracingly "
        "full-bodied full-blooded fully-realized superlative peerless unequaled finest-kind grade-a must-own "
        "champion virtuosic dexterity finesse flawlessly elevates elevated lifts soothing enriches deepens "
        "welcome intoxicating magnetic miraculous lovably light-hearted lighthearted liveliness ardor masterpeice "
        "immaculate affirm affirms wow spell adventurous steals benefits delicately-drawn glory lovingly-made "
        "gusto-filled zesty exuberance tantalizing scintillating enraptured rapture rapturous bewitching "
        "beguiling beguilingly bewitched entrancing entranced engaged absorbed gripped moved touched chills "
        "tear-jerking cathartic tingling ecstatic ecstasy bliss blissful blissfully euphoria sensation "
        "sensibility acuity alive aliveness immediacy urgency truthfulness astuteness inspire fires fiery "
        "flawless-ly pitch-perfect spot-on note-perfect picture-perfect period-perfect dead-on "
    ),
    # mild praise, and what reviewers like to mention
    1.0: (
        "love loves loved interesting interestingly intriguing intrigue intriguingly interest curious curiously "
        "amusing amusingly amused amuse amuses amusement decent decently nice nicely competent competently able "
        "ably adept capable capably offbeat quirky quirkily whimsical playful playfully sensitive sensitively "
        "sensitivity intimate intimately intimacy gentle gently quiet quietly simple simplicity modest modestly "
        "bittersweet wistful melancholy earthy gritty raw visceral bracing unflinching unflinchingly "
        "uncompromising unsentimental clear-eyed candid straightforward realistic realism realistically credible "
        "believable believably convincing convincingly plausible relevant timely universal truth truths truthful "
        "truly true hearts soul soulful spirit humorous comic comical droll deadpan satirical satire irony ironic "
        "sardonic wry wryly ribald bawdy emotionally passion passionate passionately dreamy dreamlike magic "
        "magical magically wonders wondrous enchantment fairy-tale imagery visually visual visuals cinematography "
        "photographed scenic portrait portrayal portrays study examination exploration explores explore "
        "meditation chronicle tribute homage documentary ode journey child friendship friends community hopeful "
        "optimism optimistic happy happily happiness proud pride dignity dignified respect respectful reverence "
        "balance balanced balances blend blends mix rhythm pace-setting fluid fluidly seamless seamlessly grand "
        "grandeur sweeping always definitely certainly finally ultimately yet well worth easily delivers deliver "
        "earns earned deserves deserved lingers stays leaves reminds remind helps enough-to-satisfy astute "
        "astutely perceptive perceptively observant observed observations shrewd canny canniest ingenious "
        "ingeniously ingenuity detailed detail details meticulous meticulously colorful color colors brisk "
        "briskly breezy zippy fast-paced nimble snappy punchy jaunty kinetic masters master maestro talent "
        "talented talents gifted gift gifts versatile accessible ease easy-going relaxed culture-clash noble "
        "sympathetic sympathetically sympathy understanding understands understand tolerance harmony "
        "reconciliation fierce fiercely ferocious dynamic dynamics searing incendiary unsettling disturbing "
        "disturbingly harrowing wrenching gut-wrenching heartbreaking heartbreakingly devastating devastatingly "
        "shattering sobering startling startlingly shocking provoke provokes freaky wild wildly wacky zany "
        "outrageous outrageously irreverent subversive cheeky mischievous naughty raunchy gutsy rollicking robust "
        "zest gusto verve flair panache pizzazz oomph zing buoyant bubbly effervescent giddy sprightly infuses "
        "redeeming redemption redeems forgive entertainer old-fashioned nostalgic nostalgia retro throwback "
        "edge-of-your-seat nail-biting pulse-pounding page-turner whip-smart eye-opening eye-popping jaw-dropping "
        "larger-than-life splash bang kick grin smile smiles smiling chuckle giggle cheer cheers hooked glad "
        "thankful thankfully grateful savor cherish embrace strange-and-wonderful substance substantial meaty "
        "weighty intellectual intellectually literate cerebral philosophical spiritual faith faithful faithfully "
        "innocence innocent pure purity haunted-by moody atmospheric freedom jolted smarter subtler establishes "
        "comfortable interested refusal resist unlike ever first-time chemistry cohesive coherent rewarding-if "
        "tells honors honor honours fully thoroughly expertly craft directed debut natural naturally naturalism "
        "tart tangy spicy spice sizzling sizzle heat zip pop grown-up adult-minded unforced understated restraint "
        "restrained unpretentious unhurried deliberate rooted spare stark austere haunt haunts memory memories "
        "cinema filmmaking artist artists art masterwork luck lucky delicate delicately confection vision visions "
        "testament valiant preserves touch touches core bursting bursts revealing openly calibrated shaped "
        "fluidity connection concern achieves tears confront friend surprise surprised stroke fills captures-well "
        "lead leads grabs grab hooks soak relish joys kindhearted heartening easygoing affable amiable genial "
        "personable sociable sunny sunshine bright brightly light lightness airy gossamer dance dances sing sings "
        "soar "
    ),
    # company of praise: what a review that likes a film talks about
    0.5: (
        "life lives world children childhood kids family families human culture cultural both still most also "
        "gives makes keeps brings offers manages finds provides provide score music musical cast ensemble acting "
        "performance performances performers tale epic adventure dream dreams mood atmosphere hero heroes heroic "
        "romance romantic weight serious-minded dark-humored together hope hopes frank heart humor humour "
        "emotions emotion emotional film and with its us our we french year often years young women woman girl "
        "girls history political social "
    ),
    # unreserved blame
    -3.0: (
        "worst awful awfully terrible terribly horrible horribly horrid dreadful dreadfully atrocious abysmal "
        "abysmally appalling appallingly abomination unwatchable unbearable unbearably insufferable excruciating "
        "excruciatingly painful painfully disaster disastrous fiasco debacle mess messy messes trainwreck wreck "
        "stinker stinks stink sucks suck sucked crap crappy garbage trash rubbish dreck drek junk waste wasted "
        "wasteful wastes pathetic pathetically lousy lame lamely inept ineptly ineptitude incompetent "
        "incompetence idiotic idiocy idiots moronic moron stupid stupidly stupidity brainless mindless mindlessly "
        "dumb dumber dumbed-down asinine imbecilic witless witlessness unfunny laughless humorless humorlessly "
        "joyless mirthless charmless soulless lifeless lifelessly bloodless heartless pointless pointlessly "
        "meaningless worthless useless hopeless hopelessly boring bored boredom bores bore tedious tediously "
        "tedium dull dullest dully dullness dreary drab drag drags dragging dragged snooze snoozer sleep-inducing "
        "flop flops bomb bombs turkey dud loser fails failed failure fail failing failings miserable miserably "
        "misfire misfires mistake mistakes disappointing disappointingly disappointment disappointed disappoints "
        "disgusting disgust repulsive repellent repugnant revolting vile offensive offensively obnoxious odious "
        "loathsome hateful hate hated hates horrendous ghastly godawful ugly ugliness ludicrous ludicrously "
        "ridiculous ridiculously laughable laughably preposterous absurdly nonsense nonsensical incoherent "
        "incoherence incomprehensible unintelligible amateurish amateurishly shoddy sloppy sloppily slapdash "
        "half-baked ill-conceived ill-advised misguided misbegotten misconceived botched bungled "
    ),
    # clear blame
    -2.0: (
        "bad badly poor poorly weak weaker weakest weakly weakness weaknesses flat flatly flatness bland blandly "
        "blandness insipid vapid vacuous inane banal banality trite cliche cliches clichéd cliched clichés cliché "
        "hackneyed stale tired tiresome tiring weary wearying wearisome contrived contrivance contrivances "
        "contrivedly predictable predictably predictability formulaic formula derivative unoriginal uninspired "
        "uninspiring unimaginative uninteresting uninvolving unconvincing unconvincingly unbelievable implausible "
        "implausibility improbable unlikely far-fetched unrealistic phony fake false falseness artificial forced "
        "strained stilted wooden woodenly stiff stiffly clumsy clumsily awkward awkwardly clunky leaden "
        "heavy-handed ham-fisted hamfisted overwrought overblown overdone overcooked overlong over-the-top "
        "overbearing overstated overproduced overstuffed interminable endless endlessly repetitive repetitious "
        "monotonous plodding plods sluggish slow slow-moving ponderous turgid turgidly pretentious pretentiously "
        "pretension pretensions pompous pompously self-indulgent self-important self-conscious smug smugly "
        "condescending manipulative manipulation sappy syrupy saccharine mawkish maudlin treacly cloying "
        "cloyingly schmaltzy schmaltz sentimental sentimentality corny hokey cheesy shallow shallowly superficial "
        "superficially hollow empty emptiness thin paper-thin skimpy slight sketchy sketchily underdeveloped "
        "undeveloped one-dimensional two-dimensional cardboard caricature caricatures stereotype stereotypes "
        "stereotypical shrill shrilly grating gratingly annoying annoyingly irritating irritatingly irritates "
        "irritate exasperating frustrating frustratingly frustrated maddening infuriating tasteless crass crude "
        "crudely vulgar gross gross-out sleazy sleaze tawdry exploitative exploitation gratuitous gratuitously "
        "pandering panders cynical cynicism mean-spirited nasty ugly-duckling bombastic loud noisy noise chaotic "
        "jumbled muddled muddle muddy murky confusing confusingly confused confusion confuse convoluted "
        "disjointed choppy disconnected fragmented uneven unfocused scattershot scattered rambling rambles "
        "meandering meanders aimless aimlessly directionless unfinished undercooked uneasy undermined undermines "
        "undermine undercut squanders squandered squander lacks lacking lack lackluster lacklustre lazy lazily "
        "lethargic listless limp lumbering labored laborious laboured joyless-ness flawed flaws flaw faulty "
        "problem problems problematic trouble troubles unpleasant unpleasantly unappealing unattractive unlikable "
        "unlikeable unsympathetic unsatisfying unsatisfied unsatisfactory unfulfilling unrewarding unnecessary "
        "unnecessarily needless needlessly redundant superfluous unmotivated unexplained unfortunate "
        "unfortunately sadly alas regret regrettably regrettable mediocre mediocrity middling pedestrian "
        "perfunctory routine run-of-the-mill by-the-numbers paint-by-numbers cookie-cutter generic recycled "
        "rehash rehashed retread retreads rip-off ripoff knockoff copycat warmed-over watered-down inferior "
        "third-rate second-rate low-rent low-budget-looking cheap cheaply cheapo tacky campy-bad kitschy amateur "
        "dismal dismally depressing depressingly dour grim-faced gloomy bleakly-dull numbing numbingly "
        "mind-numbing numb deadening deadly dead deadeningly sour bitter-taste stinky sickening nauseating "
        "nauseous vomit puke barf headache suffers suffer suffering-through suffered torture torturous agony "
        "agonizing collapses collapse crumbles falters falter flounders stumbles sinks sinking sunk derails sags "
        "sagging fizzles nowhere nothing minus avoid skip shame shameless shamelessly embarrassing embarrassingly "
        "embarrassment embarrassed cringe rotten ill-fitting ill-timed ill-informed inconsequential insignificant "
        "insubstantial forgettable unremarkable unmemorable unexceptional obvious obviously overly excessive "
        "excessively excess bloated pointless-ly hack hackwork hacks dreadful-ly dopey goofy-bad silly silliness "
        "sophomoric juvenile immature infantile puerile childish adolescent-level preachy preaching didactic "
        "moralizing sermon lecture lost missing missed misses fallen falls fell crash crashing implodes "
        "incoherently inert inertia inanity inexplicable inexplicably wretched wretchedly frightful derailed "
        "padding padded filler absent drivel tripe hooey claptrap hokum hodgepodge mishmash patchwork "
        "cliche-ridden cliché-ridden autopilot straight-to-video direct-to-video made-for-tv cartoonish cartoon "
        "overacted overacting overplayed underwritten underplayed lightweight fluff fluffy trifle trifling "
        "disposable anemic toothless lumpy drowsy soggy tinny clunker clunkers pap slop goo gooey mush mushy "
        "insult insulting insults assault ordeal chore endure enduring-this tortured bewildering baffling baffled "
        "puzzling puzzle puzzles mystifying inscrutable unclear impenetrable illogical senseless mugging mugs "
        "unamusing unsubtle undramatic intolerable stomach-turning uglier lousier conceits insignificance meager "
        "meagre measly paltry scant dearth stitched creaks drown dimwits chump suckers suckered wasted-on "
        "ill-suited mishandled mangled mangles butchered muddles bungles bungling ill-defined flimsy feeble "
        "feebly inadequate inadequately substandard subpar sub-par unworthy unpolished unfinished-looking "
        "unpersuasive untrue uncomfortable uncomfortably unconvinced unintentionally unintentional undeserving "
        "incapable ineffective ineffectual insincere intrusive irrelevant irksome jarring junky lurid lumbers "
        "malarkey melodrama melodramatic melodramatically merciless mundane nasty-minded nightmare nonexistent "
        "obscure obscures obtuse old-school-bad outtakes overbaked overheated oversized overripe overloads "
        "overwhelmed patronizing perfunctorily phoned phones pile piles poor-man porn posturing prattle preach "
        "pretense rancid random rant remote-controlled sappily schlock schlocky screechy self-absorbed "
        "self-congratulatory self-satisfied shameful shoot-em-up skip-it slack slog sluggishly snail's-pace snore "
        "soporific spineless spoiled stumble stumbling stupefying stupefyingly stuck suffocating swill tangled "
        "tame tiresomely throwaway tortuous trivial trivializes trivialize turd tuneless twaddle unappetizing "
        "unbelievably unbelieveable uncreative undermining unengaging unexciting unfairly unfathomable ungainly "
        "unfunniest unforgivable unforgivably unpleasantness unsavory unwieldy vain vaporous vapor victim wimpy "
        "woeful woefully worn worn-out wreckage wrongheaded wrong-headed wobbles yuck sorriest sordid eroded "
        "sanctimonious smugness laziness arrogance tanks off-puttingly off-putting distasteful condescension "
        "flaccid undernourished kibosh parochial standoffish cloudy becalmed subzero icy lumbering-on pathos-free "
        "nonsensically disinterest disinterested dispirited dispiriting disheartening discouraging deplorable "
        "despicable detestable demeaning degrading damning damned dated-looking desultory dilettante disservice "
        "distracting distracts distraction distractingly dodgy downer dross drips dumbness dunce embittered "
        "enervating exhausted exhausting exhausts exploits fatuous fluffball fritters frivolous glum gobbler grim "
        "groan groans half-assed half-hour-too-long harangue hamstrung hobbled ham hamming haphazard harebrained "
        "hash heaving hysterical-bad ick icky "
    ),
    # mild blame, and what reviewers mention when unhappy
    -1.0: (
        "too merely less hardly barely scarcely rarely seldom sometimes occasionally almost nearly somewhat "
        "attempt attempts attempting attempted tries trying tried supposed supposedly feels-like never-ending "
        "instead despite unless except otherwise wrong wrongly worse worsen worsening problem-plagued impossible "
        "impossibly unable cannot length running-time longer longwinded long-winded lengthy drawn-out television "
        "sitcom soap opera video-game videogame commercial commercials ad advertisement infomercial product "
        "marketing pitch gimmick gimmicks gimmicky gimmickry plots writer writers director's subplots subplot "
        "sequel sequels remake franchise studio viewer teenage teenagers frat adolescent adolescents explosions "
        "special-effects gore gory kill kills death dying blood corpse pratfalls slapstick toilet bathroom "
        "flatulence fart potty scatological coldly chilly detached distant aloof remote impersonal sterile "
        "antiseptic clinical static stagnant weird weirdly odd oddly bizarre bizarrely cute cutesy precious twee "
        "glib facile slick glossy calculated calculating packaged manufactured mechanical mechanically "
        "conventional ordinary average familiar aging dated outdated old-hat simplistic simple-minded naive "
        "easy-answers shortcomings limitations limited lapses busy crowded cluttered hectic frantic frenetic "
        "frenzied hyperactive dubious questionable suspect doubtful pity rip ripped rental video cable shelf "
        "wannabe imitation imitative pale echo echoes leftovers leftover remnants scraps residue desperate "
        "desperately desperation struggle struggles struggling strains strain grasping guess maybe perhaps wished "
        "hoping wonder-why how-bad shaky wobbly creaky rickety rough rough-edges ragged raggedy uneasy-mix "
        "erratic inconsistent inconsistently unresolved abrupt abruptly incomplete half-hearted halfhearted tepid "
        "lukewarm mild dim dimwitted so-so okay ok passable serviceable adequate watchable tolerable heavy "
        "overloaded burdened bogged bogs weighed weighs buried smothered drowned drowns ego vanity celebrity "
        "narcissistic narcissism indulgent indulgence yawn yawning sleep asleep doze nap coma comatose catatonic "
        "somnambulant stupor zombie fear-factor disaster-movie cop-out copout cheat cheats cheated dishonest "
        "fraud bogus sham pretend pretends poses posing whiny whining self-pitying angst mopey dysfunctional "
        "annoys annoy bother bothers nag anticlimactic letdown let-down underwhelming overhyped hype hyped away "
        "gone off quit quitting flick flicks enough-already excuse excuses blame lie lies lost-in barely-there "
        "wanting gratuity logic clue sense-less target demographic box-office blockbuster blockbusters mtv "
        "mtv-style schwarzenegger sandler schneider seagal ritchie carvey murphy's slasher horror-movie "
        "gangster-wannabe stitched-together assembled underachiever mumbo-jumbo fails-as third-act finale-less "
        "climax runs-out nobody no-one ever-so "
    ),
    # company of blame: machinery of films, hedges, negation itself
    -0.5: (
        "should might could least try tv hours plot script screenplay dialogue teen teens hollywood viewers "
        "audiences audience effects stunts jokes joke gag gags usual old long hard difficult even stunt violence "
        "violent bloody murder killing why wish wait waiting strange strangely same premise cold only bit little "
        "rather seems seem seemed wonder any anything anyone else been did do does n't not no was had were would "
        "when because movie thing stuff guy idea sense ending they 're "
    ),
}

# Sets of words with a function besides their worth.
NEGATORS = "not n't no never without hardly neither nor nothing nobody cannot lacks lack lacking barely scarcely rarely"
BOOSTERS = "very so really truly incredibly extremely utterly wonderfully deeply most completely thoroughly genuinely absolutely totally such remarkably"
SOFTENERS = "somewhat slightly fairly mildly relatively occasionally sometimes almost nearly bit little partly vaguely moderately"
TURNS = "but yet however nevertheless nonetheless"
CONCESSIONS = "although though despite while if"
ENDS = ", . ; : -- ... ! ? ( ) and or"

# Phrases that mean something else than their words.
IDIOMS = {
    # praise in more than one word
    1.5: (
        "one of the; better than; not only; sense of humor; worth seeing; worth the; well worth; edge of your; at "
        "its best; on the edge; no doubt; a must; not bad; not a bad; feel good; a lot of; nothing short of; as good as; "
        "never less than; not without; a real; a true; lots of; nothing if not; never boring; works because; no "
        "less; could n't be; ca n't wait; breathes life; breath of fresh; does n't disappoint; pays off; hard to "
        "hate; hard not to; hard to resist; nothing else than; of the year; a chance to; in a way; never forget; "
        "off the hook; do n't miss; ca n't miss; see it .; easy to watch; touch you; you to the"
    ),
    # blame in more than one word
    -1.5: (
        "at best; no more; nothing more; anything but; should have; could have; would have; might have; better "
        "off; the worst; too much; too many; too long; too little; so bad; a waste; less than; rather than; run "
        "of the; by the numbers; not enough; no sense; if only; on autopilot; instead of; nothing but; a bore; a "
        "mess; not much; not even; fails to; failed to; never quite; not quite; no one; the point; no reason; a "
        "chore; supposed to; few laughs; even worse; long gone; waste of; little more; more like; better movie; "
        "better film; makes no; falls short; falls flat; wears thin; an excuse; nothing new; stay away; seen it "
        "all; been there; done that; over and over; and over again; all over; never gets; never catches; not "
        "once; running time; step down; not for the; ca n't quite; going for it; on paper; the rest of; what 's "
        "missing; too bad; sit through; out of gas; out of steam; steam out; runs out; what passes; enough to "
        "make"
    ),
}

VOCABULARY = sorted(
    {word for words in WORDS.values() for word in words.split()}
    | set(" ".join([NEGATORS, BOOSTERS, SOFTENERS, TURNS, CONCESSIONS, ENDS]).split())
    | {word for phrases in IDIOMS.values() for phrase in phrases.split("; ") for word in phrase.split()}
)
NUMBER = {word: i + 2 for i, word in enumerate(VOCABULARY)}  # 0 is the padding, 1 is any other word
WORTH, NEGATES, BOOSTS, TURN, CONCEDES, END = range(6)

embed = np.zeros((len(VOCABULARY) + 2, 6))
for worth in reversed(WORDS):  # a word in two lists keeps the worth of the first one
    embed[[NUMBER[word] for word in WORDS[worth].split()], WORTH] = worth
embed[[NUMBER[word] for word in NEGATORS.split()], NEGATES] = 1.0  # a full negation
embed[[NUMBER[word] for word in BOOSTERS.split()], BOOSTS] = 0.5  # "very good" is half as good again
embed[[NUMBER[word] for word in SOFTENERS.split()], BOOSTS] = -0.5  # "somewhat good" is half as good
embed[[NUMBER[word] for word in TURNS.split()], TURN] = 1.0  # what stood before has been conceded
embed[[NUMBER[word] for word in CONCESSIONS.split()], CONCEDES] = 1.0  # "while it is pretty, ..."
embed[[NUMBER[word] for word in ENDS.split()], END] = 1.0  # negation reaches to the end of its clause

phrases = [(worth, phrase.split()) for worth, line in IDIOMS.items() for phrase in line.split("; ")]

WEIGHTS = {
    "embed": embed,
    # Phrases as up to three word numbers (0: anything), and what they add to their words.
    "idiom": np.array([([NUMBER[word] for word in words] + [0])[:3] for _, words in phrases]),
    "idiom_worth": np.array([worth for worth, _ in phrases], dtype=float),
    "fade": np.array([0.8]),  # negation loses a fifth of its force a word: about three words later it is half
    "flip": np.array([1.5]),  # "not good" is half as bad as good is good
    "conceded": np.array([0.5]),  # what comes before a "but" counts half, like what stands in a concession
    "bias": np.array([-0.3]),  # a sentence without a warm word: most reviewers who like a film say so
}


def number(word):
    """The number of a word, of the word without its ending, or 1."""
    for ending in ("", "s", "ly", "ed", "d", "ing", "er", "est", "ness", "'s"):
        stem = word[: len(word) - len(ending)]
        if word.endswith(ending) and stem in NUMBER:
            return NUMBER[stem]
    return 1


def parts(sentences):
    """(N, T) what each word adds, (N, T) what the idiom that starts there adds."""
    w = WEIGHTS
    longest = max(map(len, sentences)) + 2
    ids = np.array([[number(word) for word in words] + [0] * (longest - len(words)) for words in sentences])
    x = w["embed"][ids]
    scope, inside = np.zeros((len(ids), longest)), np.zeros((len(ids), longest))
    negated, conceding = np.zeros(len(ids)), np.zeros(len(ids))
    for t in range(longest):  # from left to right
        scope[:, t] = negated
        negated = np.minimum(negated * w["fade"] * (1 - x[:, t, END]) + x[:, t, NEGATES], 1)
        conceding = np.minimum(conceding * (1 - x[:, t, END]) + x[:, t, CONCEDES], 1)
        inside[:, t] = conceding
    before = np.concatenate([np.zeros((len(ids), 1)), x[:, :-1, BOOSTS]], axis=1)
    later = np.cumsum(x[:, ::-1, TURN], axis=1)[:, ::-1] - x[:, :, TURN]
    keep = 1 - (1 - w["conceded"]) * np.minimum(later + inside, 1)
    words = x[:, :, WORTH] * (1 + before) * (1 - w["flip"] * scope) * keep
    first, second, third = w["idiom"].T
    found = (ids[:, :-2, None] == first) & (ids[:, 1:-1, None] == second)
    found &= (ids[:, 2:, None] == third) | (third == 0)
    found = found @ w["idiom_worth"]
    idioms = np.concatenate([found, np.zeros((len(ids), 2))], axis=1) * keep
    return words, idioms


def predict(sentences):
    """1 for praise and 0 for blame, for each list of tokens."""
    words, idioms = parts(sentences)
    return [int(logit > 0) for logit in (words + idioms).sum(axis=1) + WEIGHTS["bias"]]


def explain(sentence):
    """The logit of one list of tokens and the parts that sum to it: word by word, idioms, bias."""
    words, idioms = (row[0][: len(sentence)] for row in parts([sentence]))
    parts_ = {
        f"{i} {word}": float(a + b) for i, (word, a, b) in enumerate(zip(sentence, words, idioms, strict=True)) if a + b
    }
    parts_["bias"] = float(WEIGHTS["bias"][0])
    return {"logit": sum(parts_.values()), "parts": parts_}
