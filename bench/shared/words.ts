/** The vocabulary that the learned workspace is written in. What stands first in a list is used most. */

const split = (words: string) => words.trim().split(/\s+/);

export const areas = split(`
  payment session cache queue router parser storage search upload report account webhook scheduler template export metrics
  migration billing notification inventory profile gateway ledger mailer importer renderer validator tracker registry archive
  catalog checkout coupon delivery dispatch directory editor feed filter forum gallery invoice journal kernel label lexer
  locale manifest matcher monitor mapper outbox palette patch pipeline planner policy pricing proxy quota ranking receipt
  relay replica resolver roster sampler sandbox schema sensor shipment signal snapshot stream subscription survey sync
  tenant theme ticket timeline token transport tunnel usage vault vendor viewer wallet watcher workflow worker
`);

export const parts = split(`
  client handler store service config loader writer reader builder adapter pool buffer index helper types errors events
  model view form table query state lock retry batch cursor codec format limits rules hooks keys lookup merge migrate
  normalise options pages permissions prefetch probe refresh repair resolve rollback rotate schedule serialise settings
  shard split stats summary throttle transform trigger update verify version window
`);

export const verbs = split(`
  add fix handle load read write check move rename remove store send open close parse build create update delete validate
  refresh retry cache compute convert copy count decode detect drop encode expire extract fetch find flush format group
  guard hash import index insert join limit list lock log map match merge migrate normalise notify parse patch pool publish
  queue rank record reject release replay reset resolve restore return rotate sample scan schedule select serialise shard
  sign skip sort split stream sync throttle trace transform trim truncate unlock verify warm wrap
`);

export const nouns = split(`
  test request user error file value key name time order page field response record list number date database message
  type line state result default timeout version path cookie row header format option table column connection thread
  batch buffer byte callback certificate character checksum client clock cluster collection commit condition container
  context contract counter currency cursor deadline dependency deployment device digest disk document domain driver
  duplicate element encoding endpoint entry environment event exception expiry export factory failure fallback feature
  fixture flag folder fraction function garbage graph handle heap host identifier image import input instance integer
  interface interval iterator job latency layer leak length library limit listener locale lock loop machine macro mask
  matrix member memory method middleware mode module mutex namespace network node object offset operation operator output
  owner package packet parameter parent password pattern payload permission pipe pixel pointer port prefix priority
  process product prompt property protocol provider query range rate reader receiver reference region release reply
  resource retry role root rule sample schema scope script secret segment sequence server setting shard signature size
  slot snapshot socket source stack statement statistics step string structure suffix symbol system tag target task
  tenant text ticket token trace transaction transition tree trigger tuple unit update upload variable vector warning
  weight window worker zone
`);

export const adjectives = split(`
  empty new old wrong missing slow large small first last open same stale unknown invalid broken concurrent nested partial
  optional duplicate long short negative default lazy public private remote local flaky hidden late early idle dirty
  strict loose shared single double dynamic static global temporary permanent
`);

export const reasons = [
  "because the tests were flaky",
  "so that a retry does not run twice",
  "since callers expect an empty list",
  "to keep the old clients working",
  "after the outage in spring",
  "because it was never closed",
  "so that large inputs stay in memory limits",
  "as the documentation says",
  "to make the error readable",
  "before the next release",
  "because two threads wrote at once",
  "so that the order is always the same",
  "since the default was surprising",
  "to halve the time of the first page",
  "because the vendor changed its format",
  "for the nightly job",
];

export const people = split(`
  ada boris chidi dana emeka farid greta hiro ines jonas kavya liam mina nadia oskar priya quentin rosa samir tove
`);

/** Syllables of names that only one project uses. */
export const syllables = split(`
  ra ve lo mi ta ken dor sul bri na fe zo qui pla mor ti gan hel ius cor ba nim ex tra fo ry lan du
`);
