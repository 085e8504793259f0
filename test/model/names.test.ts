import { expect, test } from "vitest";
import { lifeTime } from "../../src/model/names.js";

test.each(["created_at", "createdAt", "CREATED_ON", "create_time", "inserted_at", "created"])(
  "%s is when a row was made",
  (name) => {
    expect(lifeTime(name)).toBe("created_at");
  },
);

test.each(["updated_at", "updatedAt", "last_update", "lastmodifiedat", "last_modified", "modified_on", "changed_at"])(
  "%s is when a row was last changed",
  (name) => {
    expect(lifeTime(name)).toBe("updated_at");
  },
);

test.each(["last_login", "last_created_at", "created_by", "uploaded_at", "exchange_date", "updates"])(
  "%s is another thing",
  (name) => {
    expect(lifeTime(name)).toBeNull();
  },
);
