import { behaves } from "./behaviour.js";

/** It tries again without end, waiting longer each time, where it takes an error for a passing one. */
const withoutEnd = { outcome: "timed_out", reason: /did not end/ } as const;

behaves("opencode", {
  model: "anthropic/claude-sonnet-4-5",
  id: "claude-sonnet-4-5",
  priced: true,
  tells: "on the way",
  patienceMs: 20_000,
  trouble: {
    "too many requests": { outcome: "crashed", reason: /gave up: slow down/ },
    "an overloaded server": withoutEnd,
    "a stream that is cut": withoutEnd,
    "a server that never answers": withoutEnd,
    "a server that is gone": withoutEnd,
  },
});
