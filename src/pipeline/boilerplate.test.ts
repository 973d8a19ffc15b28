import { expect, it } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { context } from "../index.ts";
import type { Item } from "../item.ts";
import { isBoilerplate } from "./boilerplate.ts";

const field = (name: string, signature: string): Item =>
  ({ kind: "field", name, signature, id: "", path: "", source: "code" }) as unknown as Item;

it.each([
  ["Logger", "private static readonly ILog Logger = LogProvider.GetLogger(typeof(Worker));"],
  ["_logger", "private readonly ILog _logger = LogProvider.For<Worker>();"],
  ["_audit", "private readonly ILogger<Worker> _audit = factory.CreateLogger<Worker>();"],
  ["LOGGER", "private static final Logger LOGGER = LoggerFactory.getLogger(Pool.class);"],
  ["trace", "private static final Log trace = LogFactory.getLog(Pool.class);"],
  ["log", "private val log = KotlinLogging.logger {}"],
  ["logger", "logger = logging.getLogger(__name__)"],
  ["serialVersionUID", "private static final long serialVersionUID = 1L;"],
  ["SyncRoot", "private static readonly object SyncRoot = new object();"],
])("%s is in every class", (name, signature) => {
  expect(isBoilerplate(field(name, signature), { terms: [] })).toBe(true);
});

it.each([
  ["LogLevel", 'public const string LogLevel = "warn";'],
  ["catalogue", "private static final Catalogue catalogue = new Catalogue();"],
  ["Dialog", "private static readonly Dialog Dialog = new Dialog();"],
  ["MaxLogFiles", "private const int MaxLogFiles = 10;"],
  ["Objects", "private static readonly List<object> Objects = new List<object>();"],
])("%s is a value of its own", (name, signature) => {
  expect(isBoilerplate(field(name, signature), { terms: [] })).toBe(false);
});

const rest = Array.from({ length: 150 }, (_, i) => `        public int Part${i}(int of) { return of + ${i}; }\n`).join(
  "",
);
const tree = {
  "src/Retries.cs": `namespace Shop
{
    public class Retries
    {
        private static readonly int MostAttempts = 12;

        public bool RetryOrder(Order order)
        {
            if (order.Attempts > MostAttempts)
            {
                Logger.Warn("too many");
                return false;
            }
            order.Attempts++;
            return order.Send();
        }

${rest}
        private static readonly ILog Logger = LogProvider.GetLogger(typeof(Retries));
    }
}
`,
};

it("comes with no function, unless the question is about it", async () => {
  const printed = async (query: string) =>
    (await context({ query, path: folder(tree), maxTokens: 500 } as never)).items.map(({ name }) => name);
  const names = await printed("how is an order retried?");
  expect(names).toContain("RetryOrder");
  expect(names).not.toContain("Logger");
  expect(await printed("with which logger is an order retried?")).toContain("Logger");
});
