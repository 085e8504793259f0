import { MultirunError } from "../../src/model/error.js";

/** The error a call ends with; fails where it does not end with one of ours. */
export async function errorOf(work: () => unknown): Promise<MultirunError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof MultirunError) return error;
    throw error;
  }
  throw new Error("expected an error, but the call succeeded");
}
