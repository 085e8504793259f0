import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const iterations = 4096;

/** 192 random bits in letters that need no quoting anywhere. */
export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * A password that every process with the administrator's password finds by itself. Never given to an agent: whoever
 * holds it could try administrator's passwords on it.
 */
export function derivedPassword(administratorPassword: string, name: string): string {
  return createHmac("sha256", administratorPassword).update(`multirun ${name}`).digest("base64url");
}

/**
 * What the server stores for a password (RFC 5803), so that the password itself is in no statement and no server log.
 * It consists of letters that need no quoting in SQL.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const stored = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${hmac(salted, "Server Key").toString("base64")}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
