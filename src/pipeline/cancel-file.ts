import { stat } from "node:fs/promises";
import { MultirunError } from "../model/error.js";

const lookEveryMs = 500;

/**
 * Aborts when somebody asks for it by the experiment's `cancel` file.
 * @returns ends the watching
 */
export function watchCancelFile(path: string, cancel: AbortController): () => void {
  const look = async (): Promise<void> => {
    await stat(path);
    cancel.abort(new MultirunError("cancelled", "multirun cancel asked for it"));
  };
  // Not there is the usual answer.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
