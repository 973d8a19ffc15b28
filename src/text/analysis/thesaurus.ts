/** Short forms of words in code: the same word, written by who has to type it often. */
export const abbreviations = `
directory dir; function func fn; parameter param; argument arg; configuration config cfg; initialize init; execute exec; environment env; database db;
message msg; request req; response resp; image img; value val; variable var; temporary temp tmp; previous prev; authentication auth; password pwd;
column col; absolute abs; document doc; character char; boolean bool; expression expr; attribute attr; reference ref; source src; destination dest dst;
frequency freq; address addr; pointer ptr; buffer buf; connection conn; statement stmt; hexadecimal hex; decimal dec; dictionary dict; string str;
integer int; number num; maximum max; minimum min; length len; concatenate concat; difference diff; random rand; standard std;
synchronize sync; asynchronous async; repository repo; specification spec; administrator admin; application app; information info;
context ctx; transaction tx txn; callback cb; certificate cert; authorization authz; garbage gc; constructor ctor; property prop; object obj;
command cmd; package pkg; library lib; utility util; identifier id; position pos; iterator iter; implementation impl; operation op; error err;
internationalization i18n; localization l10n; accessibility a11y; regular regex regexp; descriptor fd; memory mem; process proc; control ctrl;
button btn; window win; table tbl; description desc; definition def; declaration decl; allocate alloc; evaluate eval; separator sep; delimiter delim
`;

/** Words that programmers use for the same thing. Each line is one group of a thesaurus. */
export const synonyms = `
delete remove drop erase; create make generate build; get fetch retrieve obtain; find search lookup locate; list array; dict dictionary map;
string str text; integer int; number num count; maximum max largest biggest; minimum min smallest; average mean; directory dir folder;
function func method; parameter param argument arg; configuration config settings options; initialize init setup; execute exec run;
print display show output; split tokenize separate; join concatenate concat merge combine; convert transform cast; check verify validate;
sort order; compare diff; random rand; environment env; database db; message msg; error exception failure; request req; response resp;
image img picture; unique distinct; write save store dump; load open read; copy clone duplicate; size length len; position index offset;
element item entry; value val; variable var; temporary temp tmp; previous prev; authentication auth login; password pwd; column col;
absolute abs; calculate compute; iterate loop; append add push insert; lowercase lower; uppercase upper; whitespace blank space;
document doc; character char; boolean bool; regular regex; expression expr; attribute attr; reference ref; source src; destination dest dst;
enforce limit restrict constrain cap; standard std; deviation std; difference delta; frequency freq; address addr; pointer ptr; buffer buf; connection conn; statement stmt;
timestamp time; date datetime; url link; json serialize; binary bin; hexadecimal hex; decimal dec; matrix array; plot draw chart graph;
download fetch; upload send; close shutdown; start begin launch; stop halt terminate kill; wait sleep; parent ancestor; child descendant;
replace substitute; reverse invert flip; filter select; choose select pick; group cluster; encode encrypt; decode decrypt; flatten ravel; truncate cut trim strip;
synchronize sync; asynchronous async; repository repo; specification spec; administrator admin; application app; information info;
context ctx; transaction tx txn; callback cb; certificate cert; authorization authz; garbage gc; serialize marshal; deserialize unmarshal;
internationalization i18n; localization l10n locale; accessibility a11y
`;

/**
 * Words for two sides of the same thing, of which who asks may have one and the code the other: visitor and client,
 * teaser and excerpt.
 */
export const related = `
delete remove erase drop discard destroy; clear reset empty wipe; clean cleanup purge prune sweep; create make generate build construct produce;
list array slice sequence; dict dictionary map hash; number digit numeric; minimum smallest least; configuration config settings options preferences;
initialize setup prepare; execute run perform; print display show output render; convert transform cast coerce; order priority precedence;
win override precedence; override overwrite; compare diff equal; write save store persist dump; read parse; authentication login credentials;
login signin session; logout signout; append add push insert attach; url link address uri; upload multipart; shut close; start begin launch boot;
stop prevent; wait block await; choose resolve; locale language; serialize marshal stringify; garbage collect; answer response reply; request query;
visitor client user; backend upstream; proxy upstream; server host; redirect location hop; route endpoint; route dispatch match; router mux;
handler controller callback; handler listener; middleware interceptor filter; chain pipeline; hook callback; event trigger emit notify fire;
publish emit broadcast; subscribe listen observe; header field; body payload content; form field; page document; article post;
teaser excerpt summary preview; heading title; layout template; wrap nest; nested recursive; nested inner; recursion recursive;
circular cyclic cycle recursive; loop cycle; missing absent notfound; missing omit; unknown missing; invalid malformed corrupt bad; broken invalid;
broken corrupt; broken fail; fail error; error panic; throw raise exception; catch rescue recover; crash panic abort; warn warning; log record;
trace backtrace; problem error; wrong invalid; reject deny refuse; reject invalid; forbid deny; allow permit accept; allow enable; enable activate;
disable deactivate; permitted limit; exceed limit; larger exceed; larger max; big large; long large; wide width; wide long; small short; small min;
threshold limit; rate throttle; throttle limit; silence suppress; silence disable; mute silence; gateway proxy; disk filesystem storage; retry again attempt; retry backoff; repeat again; attempt try; timeout deadline; timeout expire; hang timeout;
hang stuck; hang block; expire stale ttl; expire age; old stale; old previous; former previous; former old; older version; outdated stale;
outdated obsolete; obsolete stale; deprecated legacy; fresh new; recent latest; recent last; version release; upgrade migrate; cache memoize;
cached etag; refresh reload; refresh update; reload restart; change modify edit update; change mutate; changed dirty; untouched modified;
unchanged modified; unchanged same; same equal; identical equal; ignore skip exclude; leave skip; left skip; hidden private; hide mask; secret key;
secret token; credentials auth; credentials password; sign signature; foreign origin; foreign external; forgery csrf; origin cors; certificate tls;
handshake tls; secure tls; encrypt cipher; ip address; visitor remote; remote client; trust verify; cookie session; status code;
compress gzip deflate; compress encode; decompress inflate; compress zip; archive bundle; stream chunk; piece chunk; piece part; part segment;
fragment part; half partial; incomplete partial; together join; together combine; flush drain; pause suspend; resume continue; shutdown drain;
graceful drain; queue buffer; backlog queue; queue enqueue; worker thread; thread goroutine; parallel concurrent; lock mutex; race lock;
share common; pool reuse; reuse recycle; free release; release dispose; leak release; memory heap; memory allocate; schedule timer; delay wait;
delay sleep; cancel abort; interrupt signal; signal notify; promise future; promise then; resolve settle; asynchronous await; callback listener;
schedule queue; limit quota; balance distribute; sticky hash; health alive; heartbeat ping; connect dial; connection socket; socket listen;
localhost loopback; port listen; network socket; packet frame; frame message; message event; byte octet; character rune codepoint; charset encoding;
character encoding; newline linebreak; line row; row record; record entry; indent indentation; quote escape; escape sanitize; safe escape;
prefix leading; suffix trailing; suffix extension; word token; token lexeme; grammar syntax; syntax language; guess detect; guess infer;
detect sniff; detect discover; discover find; pattern regex; pattern glob; wildcard glob; match pattern; capture group; placeholder variable;
interpolate substitute; expand interpolate; expand resolve; format pretty; format layout; color colour; color style; dark theme; theme style;
highlight color; mark marker; mark decorate; mark flag; label tag; label name; tag annotation; annotation decorator; scroll pager;
terminal console tty; screen display; tab window; browser client; button widget; click press; focus select; cursor position; mouse pointer;
keyboard key; shortcut key; option flag; flag switch; command subcommand; argument option; default fallback; alias name; rename move; move transfer;
environment variable; variable binding; bind attach; scope namespace; namespace module; module package; module library; import require;
import include; dependency require; dependency import; plugin extension addon; extension module; register add; register attach; install setup;
mount attach; link reference; reference pointer; pointer address; null nil none; null undefined; empty null; empty blank; blank null;
optional nullable; default zero; boolean flag; float double; decimal float; precision digit; round truncate; overflow exceed;
field property attribute member; property getter; property key; key name; key identifier; identifier name; type kind; class type; interface protocol;
interface trait; abstract interface; inherit extend; inherit parent; subclass child; instance object; constructor new; constructor init;
factory create; inject provide; inject resolve; dependency inject; singleton instance; proxy wrapper; wrapper decorator; wrap decorate;
adapter driver; adapter wrapper; driver backend; convert map; map transform; become convert; turn convert; turn become; lift convert; reduce fold;
aggregate group; total sum; sum add; subtract minus; multiply product; divide quotient; remainder modulo; random shuffle; sample random;
weight score; rank score; best top; first head; first begin; last tail; last end; end finish; finish complete; complete done; done finish;
whole entire full; several multiple; many multiple; single one; pair tuple; range interval; range span; bound limit; edge boundary; middle center;
align position; table relation; table schema; column field; statement query; transaction commit; rollback revert; undo revert; back revert;
revert restore; backup restore; snapshot save; checkpoint snapshot; migrate schema; schema definition; constraint check; foreign reference;
index key; cursor iterator; lazy defer; defer delay; eager immediate; batch bulk; batch combine; page paginate; tree node; node vertex; leaf node;
root top; traverse walk visit; depth level; level severity; nest deep; path route; climb traverse; outside escape; symlink link; permission access;
permission role; owner user; account user; user member; privilege permission; watch monitor; watch observe; observe notify; monitor track;
track record; measure count; measure metric; metric counter; statistics metric; performance speed; fast speed; quick fast; slow delay;
mock stub fake; assert expect; test spec; fixture setup; teardown cleanup; teardown after; decide determine; decide choose; determine detect;
determine resolve; tell notify; tell report; inform notify; ask prompt; ask request; accept receive; receive read; arrive receive; incoming request;
incoming receive; outgoing send; send transmit; send write; deliver send; forward pass; transfer send; hand pass; keep preserve retain; keep hold;
kept retain; lose drop; lost drop; place put; put insert; put set; take accept; real actual; true real; direct bypass; bypass skip; avoid prevent;
avoid skip; protect guard; guard check; attack malicious; injection escape; sanitize clean; exit quit; leave exit; once single; twice duplicate;
double duplicate; duplicate repeated; conflict collision; clash conflict; collision duplicate; mix merge; overlap intersect; intersect common;
union merge; subtract difference; step stage; stage phase; phase step; life lifecycle; mount lifecycle; destroy unmount; register subscribe;
unsubscribe remove; detach remove; acquire lock; obtain acquire; grow expand; grow resize; shrink reduce; shrink resize; capacity size;
reserve allocate; preallocate reserve; estimate guess; approximate estimate; round precision; zone timezone; calendar date; translate localize;
plural count; currency money; price amount; amount quantity; quantity count; invoice bill; payment charge; order purchase; customer client;
mail email; email message; notification alert; alert warn; attachment file; image bitmap; video media; sound audio; font text
`;

/** Irregular forms, which no stemmer reduces: "was it sent" means sending. */
export const irregular = `
go went gone; buy bought; bring brought; think thought; teach taught; catch caught; make made; take took taken; give gave given;
get got gotten; see saw seen; come came; become became; run ran; begin began begun; write wrote written; drive drove driven;
rise rose risen; break broke broken; choose chose chosen; freeze froze frozen; fall fell fallen; keep kept; meet met; leave left; lose lost;
send sent; spend spent; build built; tell told; sell sold; say said; pay paid; hear heard; hold held; stand stood; understand understood;
win won; find found; know knew known; grow grew grown; throw threw thrown; draw drew drawn; show shown; forget forgot forgotten;
hide hid hidden; lead led; feed fed; hang hung; stick stuck; mean meant; deal dealt; child children; man men; woman women; person people;
index indices; vertex vertices; matrix matrices; datum data; criterion criteria; schema schemata
`;
