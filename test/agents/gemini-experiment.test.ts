import { experiments } from "./experiments.js";

experiments("gemini", { model: "gemini-2.5-pro", id: "gemini-2.5-pro" });
