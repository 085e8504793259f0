/** The same remarks in the words of different authors, for the places marked `{purpose}` and `{membership}`. */
export const wordings = [
  { purpose: "Teams: who works together on a project.", membership: "Adding somebody twice is no error." },
  { purpose: "Queries for teams and their members.", membership: "Does nothing if the user is in the team already." },
  { purpose: "People share projects through teams.", membership: "Safe to call again for the same user." },
];
