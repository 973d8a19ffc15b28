import { expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

it("has the section on testing beside the project's own tests when somebody asks how to test something", async () => {
  const names = ["connect", "receive", "close", "encode", "refuse", "retry"];
  const path = folder({
    "docs/testclient.md": `# Test client

Requests are made without a server.

## Cookies

Cookies are kept between requests.

## Testing websocket sessions

Open a session with the client:

    with client.websocket("/") as session:
        assert session.receive() == "hello"
`,
    "docs/endpoints.md": "# Endpoints\n\n## Websocket endpoint\n\nA websocket endpoint is a class for a websocket.\n",
    "shop/endpoints.py":
      "class WebsocketEndpoint:\n    def on_connect(self, websocket):\n        if websocket:\n            return 1\n",
    "tests/test_endpoints.py": names
      .map(
        (name) => `def test_websocket_endpoint_${name}(websocket_endpoint):\n    assert websocket_endpoint.${name}()\n`,
      )
      .join("\n\n"),
  });
  const { items } = await context({ query: "how do I test a websocket endpoint?", path });
  expect(items.map(({ name }) => name)).toContain("Testing websocket sessions");
});
