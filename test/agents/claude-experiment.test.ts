import { experiments } from "./experiments.js";

experiments("claude", { model: "claude-sonnet-4-5", id: "claude-sonnet-4-5" });
