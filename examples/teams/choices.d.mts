export type Role = "renames" | "hangs" | "breaks a test" | "adds an index";

export interface Choice {
  run: string;
  onTeamDelete: "cascade" | "set null";
  existingUsers: "nothing" | "personal team";
  role: Role | null;
  wording: number;
}

export declare function choices(seed: number, runs: number): Choice[];
