import { expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

const others = Array.from({ length: 70 }, (_, i) => `| \`option_${i}\` | ${i} | what number ${i} is set to |`);
const path = () =>
  folder({
    "docs/settings.md": `# Server

## Settings

Each has a default.

| option | default | meaning |
| --- | --- | --- |
${others.slice(0, 40).join("\n")}
| \`idle-timeout\` | 60s | how long a silent connection is kept |
| \`--grace-period <time>\`, \`-g\` | 30s | how long open requests may take |
${others.slice(40).join("\n")}

## Timeouts

An idle timeout is a timeout for what is idle; the grace period is a period of grace.
`,
    "server.py":
      "def stop_idle(connection, timeout):\n    if connection.idle > timeout:\n        connection.close()\n\n\ndef grace(period):\n    return period\n",
  });

it.each([
  ["what does idle-timeout do?", "| `idle-timeout` | 60s |"],
  ["--grace-period", "| `--grace-period <time>`, `-g` | 30s |"],
  ["what is option_63", "| `option_63` | 63 |"],
])("leads to the row of an option with the head of its table: %s", async (query, row) => {
  const { items } = await context({ query, path: path(), maxTokens: 300 });
  expect(items[0]!.name).toBe("Settings");
  expect(items[0]!.text).toContain(row);
  expect(items[0]!.text).toContain("| option | default | meaning |\n| --- | --- | --- |");
});

it("takes neither a standard nor a word of a printed message for an option", async () => {
  const files = {
    "docs/types.md":
      "# Types\n\n## Strings\n\n| type | first byte |\n| --- | --- |\n| UTF-8 string | 0x60 |\n| byte string | 0x40 |\n",
    "src/dump.py":
      'def dump(text):\n    for index, byte in enumerate(text):\n        if not is_valid(byte):\n            raise TypeError(f"invalid UTF-8 byte at index {index}: {byte}")\n',
  };
  for (const query of ["invalid UTF-8 byte at index 1: 0xE4", "how is an invalid UTF-8 byte dumped?"]) {
    const { items } = await context({ query, path: folder(files) });
    expect(items[0]!.title).toContain("dump");
  }
});
