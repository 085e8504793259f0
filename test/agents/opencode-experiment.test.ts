import { experiments } from "./experiments.js";

experiments("opencode", {
  model: "anthropic/claude-sonnet-4-5",
  id: "claude-sonnet-4-5",
  waiting: "timed_out",
  limit: "45s",
});
