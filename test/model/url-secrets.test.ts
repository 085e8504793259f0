import { expect, test } from "vitest";
import { Secret, urlSecrets } from "../../src/model/secret.js";

const forms = (url: string) => urlSecrets(new Secret(url)).map((secret) => secret.reveal());

test("a password is known as written, as meant and as encoded anew", () => {
  const url = "postgres://app:p%40ss~w%2ford@h/db";
  expect(forms(url)).toEqual([url, "p%40ss~w%2ford", "p@ss~w/ord", "p%40ss~w%2Ford"]);
});

test("a password among the parameters is known, too", () => {
  const url = "postgres:///db?host=/run&password=s%26cret";
  expect(forms(url)).toEqual([url, "s&cret", "s%26cret"]);
});

test("without a password the URL itself is the only secret", () => {
  expect(forms("postgres://h/db")).toEqual(["postgres://h/db"]);
});

test("what is no URL, or has a stray percent sign, is kept whole and does not fail", () => {
  expect(forms("host=h password=x")).toEqual(["host=h password=x"]);
  expect(forms("postgres://a:100%@h/db")).toContain("100%");
});
