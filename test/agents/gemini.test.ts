import { behaves } from "./behaviour.js";

behaves("gemini", {
  model: "gemini-2.5-pro",
  id: "gemini-2.5-pro",
  priced: false,
  tells: "last",
  patienceMs: 25_000,
  trouble: {
    "too many requests": { outcome: "crashed", reason: /gave up: .*slow down/ },
    "an overloaded server": { outcome: "crashed", reason: /gave up: .*529/ },
    "a stream that is cut": { outcome: "crashed", reason: /gave up: .*terminated/ },
    "a server that never answers": { outcome: "timed_out", reason: /did not end/ },
    "a server that is gone": { outcome: "crashed", reason: /gave up: .*fetch failed/ },
  },
});
