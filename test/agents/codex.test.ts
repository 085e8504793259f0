import { behaves } from "./behaviour.js";

behaves("codex", {
  model: "gpt-5-codex",
  id: "gpt-5-codex",
  priced: false,
  tells: "well",
  patienceMs: 15_000,
  trouble: {
    "too many requests": { outcome: "crashed", reason: /gave up: .*429/ },
    "an overloaded server": { outcome: "crashed", reason: /gave up: .*529/ },
    "a stream that is cut": { outcome: "crashed", reason: /gave up: stream disconnected/ },
    "a server that never answers": { outcome: "timed_out", reason: /did not end/ },
    "a server that is gone": { outcome: "crashed", reason: /gave up: stream disconnected/ },
  },
});
