import { experiments } from "./experiments.js";

experiments("codex", { model: "gpt-5-codex", id: "gpt-5-codex" });
