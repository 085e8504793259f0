import { behaves } from "./behaviour.js";

behaves("claude", {
  model: "claude-sonnet-4-5",
  id: "claude-sonnet-4-5",
  priced: true,
  tells: "on the way",
  patienceMs: 15_000,
  trouble: {
    "too many requests": { outcome: "crashed", reason: /gave up: .*slow down/ },
    "an overloaded server": { outcome: "crashed", reason: /gave up: .*529/ },
    "a stream that is cut": { outcome: "crashed", reason: /gave up: / },
    "a server that never answers": { outcome: "timed_out", reason: /did not end/ },
    "a server that is gone": { outcome: "crashed", reason: /gave up: / },
  },
});
