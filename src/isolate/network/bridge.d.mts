/** The text of the script, which is part of the bundle. */
declare const text: string;
export default text;
