import { chances, type Domain, incidental, pick, planted, plantedHabit, yesNo } from "./domain.js";
import type { ColumnSpec, TableSpec } from "./spec.js";

interface Clinic {
  prefix: string;
  visit: string;
  start: string;
  length: "end" | "minutes";
  room: "table" | "text";
  status: "check" | "enum" | "text";
  scripts: string | undefined;
  dose: string;
  remark: string | undefined;
  oneAtATime: boolean;
  indexed: boolean;
  patientGoes: boolean;
  phone: string | undefined;
  keyType: "integer" | "bigint";
  strings: "character varying(80)" | "text";
  history: boolean;
}

const plain = (name: string, type: string, more: Partial<ColumnSpec> = {}): ColumnSpec => ({
  concept: name,
  name,
  type,
  ...more,
});
const short = "character varying(80)";
const clock = "timestamp without time zone";
const baseTable = (name: string, key: string, ...columns: ColumnSpec[]): TableSpec => ({
  concept: name,
  name,
  isNew: false,
  columns: [plain(key, "integer"), ...columns],
  key: [key],
});
const patients = baseTable("t_pat", "pat_id", plain("pat_nm", short), plain("dob", "date"));
const doctors = baseTable("t_doc", "doc_id", plain("doc_nm", short), plain("spec_cd", short));

const states = ["B", "C", "D"];

/** Appointments for a practice: prefixes, abbreviations, keys named after their tables. */
export const clinic: Domain<Clinic> = {
  name: "clinic",
  base: { tables: [patients, doctors] },
  draw(random, n) {
    const [length, room, scripts, remark, one, indexed, goes, phone, keyType, strings] = Array.from(
      { length: 10 },
      () => chances(random),
    );
    return Array.from({ length: n }, () => ({
      prefix: pick(random, ["t_", "tbl_"], [0.8]),
      visit: pick(random, ["appt", "appointment", "apmt"], [0.6, 0.25]),
      start: pick(random, ["start_dt", "appt_dt"], [0.75]),
      length: pick(random, ["end", "minutes"] as const, length ?? []),
      room: pick(random, ["table", "text"] as const, room ?? []),
      status: pick(random, ["check", "enum", "text"] as const, [0.5, 0.2]),
      scripts: pick(random, [pick(random, ["rx", "presc"], [0.6]), undefined] as const, scripts ?? []),
      dose: pick(random, ["dose_mg", "dosage_mg"], [0.8]),
      remark: pick(random, [pick(random, ["notes", "note_txt", "nts"], [0.6, 0.25]), undefined] as const, remark ?? []),
      oneAtATime: pick(random, [true, false], one ?? []),
      indexed: pick(random, [true, false], indexed ?? []),
      patientGoes: pick(random, [true, false], goes ?? []),
      phone: pick(random, [pick(random, ["phone_no", "phone"], [0.8]), undefined] as const, phone ?? []),
      keyType: pick(random, ["integer", "bigint"] as const, keyType ?? []),
      strings: pick(random, [short, "text"] as const, strings ?? []),
      history: random() < 0.05,
    }));
  },
  build(drawn) {
    const made = [visitTable(drawn)];
    if (drawn.room === "table") made.push(roomTable(drawn));
    if (drawn.scripts) made.push(scriptTable(drawn, drawn.scripts));
    if (drawn.history) made.push(historyTable(drawn));
    const enums = drawn.status === "enum" ? [{ name: "appt_sts_t", labels: states }] : [];
    const call = drawn.phone ? [plain(drawn.phone, drawn.strings, { concept: "phone", notNull: false })] : [];
    return { tables: [{ ...patients, columns: [...patients.columns, ...call] }, doctors, ...made], enums };
  },
  choices: {
    length: planted(({ length }) => length, "end", "minutes"),
    room: planted(({ room }) => room, "room", "room.link", "room.text"),
    status: planted(({ status }) => status, "status"),
    scripts: planted(({ scripts }) => yesNo(scripts !== undefined), "scripts"),
    remark: planted(({ remark }) => yesNo(remark !== undefined), "remark"),
    oneAtATime: planted(({ oneAtATime }) => yesNo(oneAtATime), "visit", "doc_id", "start"),
    indexed: planted(({ indexed }) => yesNo(indexed), "visit", "visit.patient"),
    patient: planted(({ patientGoes }) => yesNo(patientGoes), "visit", "visit.patient"),
    phone: planted(({ phone }) => yesNo(phone !== undefined), "phone"),
    keyType: plantedHabit(/\b(?:id|key)s?\b/, ({ keyType }) => keyType, "visit", "room", "scripts", "history"),
    strings: plantedHabit(
      /\bstrings?\b/,
      ({ strings }) => strings,
      "visit",
      "room",
      "scripts",
      "phone",
      "remark",
      "room.text",
      "drug_nm",
    ),
    history: incidental(({ history }) => yesNo(history), "history"),
    prefix: incidental(({ prefix }) => prefix, "visit", "room", "scripts"),
    visitName: incidental(({ prefix, visit }) => prefix + visit, "visit"),
    visitWord: incidental(({ visit }) => visit, "visit", "visit.id"),
    start: incidental(({ start }) => start, "start"),
    scriptsName: incidental(({ prefix, scripts }) => scripts && prefix + scripts, "scripts"),
    dose: incidental(({ scripts, dose }) => (scripts ? dose : undefined), "dose"),
    remarkName: incidental(({ remark }) => remark, "remark"),
    phoneName: incidental(({ phone }) => phone, "phone"),
  },
};

function visitTable(drawn: Clinic): TableSpec {
  const { visit, keyType, status, strings, remark } = drawn;
  const id = `${visit}_id`;
  const columns: ColumnSpec[] = [
    plain(id, keyType, { concept: "visit.id" }),
    plain("pat_id", "integer", {
      concept: "visit.patient",
      to: "t_pat",
      onDelete: drawn.patientGoes ? "cascade" : "no action",
    }),
    plain("doc_id", "integer", { to: "t_doc" }),
    plain(drawn.start, clock, { concept: "start" }),
    drawn.length === "end"
      ? plain("end_dt", clock, { concept: "end" })
      : plain("dur_min", "integer", { concept: "minutes" }),
    { concept: "status", name: "sts_cd", type: status === "enum" ? "appt_sts_t" : "character(1)" },
    drawn.room === "table"
      ? plain("room_id", keyType, { concept: "room.link", to: "room" })
      : plain("room_no", strings, { concept: "room.text" }),
  ];
  if (remark) columns.push(plain(remark, strings, { concept: "remark", notNull: false }));
  return {
    concept: "visit",
    name: drawn.prefix + visit,
    isNew: true,
    columns: columns.map((each) =>
      each.concept === "status" && status === "check" ? { ...each, list: states } : each,
    ),
    key: [id],
    uniques: drawn.oneAtATime ? [["doc_id", drawn.start]] : [],
    indexes: drawn.indexed ? [["pat_id"]] : [],
  };
}

function roomTable({ prefix, keyType, strings }: Clinic): TableSpec {
  const columns = [
    plain("room_id", keyType, { concept: "room.id" }),
    plain("room_nm", strings),
    plain("flr", "smallint"),
  ];
  return { concept: "room", name: `${prefix}room`, isNew: true, columns, key: ["room_id"] };
}

function scriptTable({ prefix, keyType, strings, dose }: Clinic, word: string): TableSpec {
  const columns = [
    plain(`${word}_id`, keyType, { concept: "scripts.id" }),
    plain("pat_id", "integer", { to: "t_pat" }),
    plain("doc_id", "integer", { to: "t_doc" }),
    plain("drug_nm", strings),
    plain(dose, "numeric(8,2)", { concept: "dose" }),
    plain("valid_to", "date", { notNull: false }),
  ];
  return { concept: "scripts", name: prefix + word, isNew: true, columns, key: [`${word}_id`] };
}

function historyTable({ prefix, keyType }: Clinic): TableSpec {
  const columns = [
    plain("hist_id", keyType),
    plain("pat_id", "integer", { concept: "history.patient", to: "t_pat" }),
    plain("chg_jsn", "jsonb"),
  ];
  return { concept: "history", name: `${prefix}pat_hist`, isNew: true, columns, key: ["hist_id"] };
}
